/**
 * The constructs of the language and of the plan, read off their types: every kind of node, and of each of its properties with few
 * values, every value. `compare op "<"`, `pattern variable null`, `table policy "unique"`.
 *
 * Nothing is written down by hand: a node, a property or a value that is added to the types is a construct at once.
 */
import { Project, type Symbol as Property, type Type } from "ts-morph";

/** What tells the kinds of node of a tree apart. */
type Discriminator = "kind" | "op";

/** For each place below a kind of node, the values that it can have, as `nameOf` writes them. */
type Places = Map<string, Set<string>>;

export interface Schema {
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  readonly by: readonly Discriminator[];
}

/** What says nothing of the meaning: places in the text, and how something was spelled. */
const UNREAD = new Set(["span", "legacy", "spelling", "written", "words", "module", "quoted", "signature"]);

/** Reads the kinds of node of a file; `by` are the properties that may tell them apart, in the order in which they are looked at. */
export function schemaOf(file: string, by: readonly Discriminator[], roots: readonly string[]): Schema {
  const project = new Project({ tsConfigFilePath: "tsconfig.json", skipAddingFilesFromTsConfig: true });
  const source = project.addSourceFileAtPath(file);
  const kinds = new Map<string, Places>();
  const seen = new Set<Type>();
  const pending = roots.map((name) => (source.getTypeAlias(name) ?? source.getInterfaceOrThrow(name)).getType());
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type.isUnion()) pending.push(...type.getUnionTypes());
    else pending.push(...partsOf(type).map(({ type: part }) => part));
    for (const kind of type.isUnion() ? [] : kindsOf(type, by)) {
      const places = kinds.get(kind) ?? new Map<string, Set<string>>();
      kinds.set(kind, places);
      addPlaces(places, type, "", by);
    }
  }
  return { kinds, by };
}

/** Returns the values that a discriminator has in a type; none in a type that is no node. */
function kindsOf(type: Type, by: readonly Discriminator[]): string[] {
  if (!isNode(type)) return [];
  const property = by.map((name) => type.getProperty(name)).find((one) => one !== undefined);
  const values = property === undefined ? [] : unionOf(typeOf(property));
  return values.every((value) => value.isStringLiteral()) ? values.map(literalText) : [];
}

function isNode(type: Type): boolean {
  return (type.isObject() || type.isIntersection()) && !type.isArray();
}

function literalText(type: Type): string {
  return JSON.parse(type.getText()) as string;
}

interface Part {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: Type;
}

/** Returns the properties of an object, or what an array holds. */
function partsOf(type: Type): Part[] {
  const item = type.getArrayElementType();
  if (item !== undefined) return [{ name: "", isOptional: false, type: item }];
  if (!isNode(type) || type.getCallSignatures().length > 0) return [];
  return type
    .getProperties()
    .filter((property) => !UNREAD.has(property.getName()))
    .map((property) => ({
      name: property.getName(),
      isOptional: property.isOptional(),
      type: typeOf(property),
    }));
}

function typeOf(property: Property): Type {
  const declaration = property.getDeclarations()[0] ?? property.getValueDeclarationOrThrow();
  return property.getTypeAtLocation(declaration);
}

function unionOf(type: Type): Type[] {
  return type.isUnion() ? type.getUnionTypes() : [type];
}

/** Adds the values of all places of a node that are not in other nodes. */
function addPlaces(places: Places, type: Type, before: string, by: readonly Discriminator[]): void {
  for (const { name, isOptional, type: part } of partsOf(type)) {
    if (before === "" && by.includes(name as Discriminator) && kindsOf(type, by).length > 0 && isFirst(type, name, by))
      continue;
    const place = `${before}${name}`;
    const values = unionOf(part.getArrayElementType() ?? part);
    const closed = closedValues(values, isOptional);
    if (closed.length > 0) places.set(place, new Set([...(places.get(place) ?? []), ...closed]));
    for (const value of values) {
      const isPlain = value.isObject() && !value.isArray() && kindsOf(value, by).length === 0;
      if (isPlain) addPlaces(places, value, `${place}.`, by);
    }
  }
}

function isFirst(type: Type, name: string, by: readonly Discriminator[]): boolean {
  return by.find((one) => type.getProperty(one) !== undefined) === name;
}

/** Returns the values of a place with few of them: literals, and whether something stands there at all. */
function closedValues(values: readonly Type[], isOptional: boolean): string[] {
  const literals = values.filter((value) => value.isLiteral() && !value.isNumberLiteral());
  const absent = values.filter((value) => value.isNull() || value.isUndefined());
  const others = values.length - literals.length - absent.length;
  const mayLack = isOptional || absent.length > 0;
  const names = literals.map((value) =>
    nameOf(value.isBooleanLiteral() ? value.getText() === "true" : value.getLiteralValue()),
  );
  return [...names, ...(mayLack ? [NOTHING] : []), ...(others > 0 && mayLack ? [SOMETHING] : [])];
}

const NOTHING = "left out";
const SOMETHING = "given";

function nameOf(value: unknown): string {
  return value === null || value === undefined
    ? NOTHING
    : typeof value === "object"
      ? SOMETHING
      : JSON.stringify(value);
}

/** Returns the names of all constructs: those of a kind of node follow it, and begin with its name. */
export function constructsOf({ kinds }: Schema): string[] {
  return [...kinds].flatMap(([kind, places]) => [
    kind,
    ...[...places].flatMap(([place, values]) => [...values].map((value) => `${kind} ${place} ${value}`)),
  ]);
}

/** Adds the names of the constructs of a tree to those that were found. */
export function collectConstructs(tree: unknown, { kinds, by }: Schema, found: Set<string>): void {
  if (Array.isArray(tree)) return tree.forEach((item) => collectConstructs(item, { kinds, by }, found));
  if (typeof tree !== "object" || tree === null) return;
  const node = tree as Readonly<Record<string, unknown>>;
  const kind = by.map((name) => node[name]).find((value) => typeof value === "string");
  const places = typeof kind === "string" ? kinds.get(kind) : undefined;
  if (places !== undefined) {
    found.add(String(kind));
    for (const [place, values] of places) {
      for (const value of valuesAt([node], place.split("."))) {
        const name = nameOf(value);
        const known = values.has(name) ? name : values.has(SOMETHING) ? SOMETHING : undefined;
        if (known !== undefined) found.add(`${String(kind)} ${place} ${known}`);
      }
    }
  }
  for (const [key, part] of Object.entries(node)) if (!UNREAD.has(key)) collectConstructs(part, { kinds, by }, found);
}

/** Returns what stands at a place; of an array, each of its items. */
function valuesAt(nodes: readonly unknown[], [name, ...rest]: readonly string[]): unknown[] {
  const flat = nodes.flat();
  if (name === undefined) return flat;
  const inner = flat.filter((one) => typeof one === "object" && one !== null);
  return valuesAt(
    inner.flatMap((one) => [(one as Readonly<Record<string, unknown>>)[name]]),
    rest,
  );
}
