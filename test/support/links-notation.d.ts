/** The part of the package that one test uses; it ships no types. */
declare module "links-notation" {
  export class Parser {
    parse(text: string): unknown;
  }
}
