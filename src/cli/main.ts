#!/usr/bin/env node
/** The executable. It answers `--version` by itself, and loads everything else when it is needed. */
import { readFileSync, writeSync } from "node:fs";

const packageJson = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(packageJson) as { version: string };
const [first] = process.argv.slice(2);

if (first === "--version" || first === "-V" || first === "-v") writeSync(1, `${version}\n`);
else void import("./start.ts").then(({ start }) => start(version));
