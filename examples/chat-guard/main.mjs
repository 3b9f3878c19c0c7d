// node examples/chat-guard/main.mjs
import { readFileSync } from "node:fs";
import * as sluice from "sluice";
import { conversation } from "./chat.mjs";

console.log(conversation(sluice, readFileSync(new URL("rules.tsd", import.meta.url), "utf8")));
