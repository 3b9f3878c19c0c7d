/** The anchors that GitHub makes of the headings of a page: lower case, without punctuation, numbered where they repeat. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replace(/^```[^]*?^```$/gmu, "").matchAll(/^#+ (.+)$/gmu)) {
    const words = heading.replace(/\[(.+)\]\(.*\)/u, "$1").toLowerCase();
    const plain = words.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${plain}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}
