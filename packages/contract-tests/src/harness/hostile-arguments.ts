import { breaksSchema, fittingArguments, namesOfType, type ToolArguments } from './tool-arguments.ts'

export interface FaultyArguments {
  readonly fault: string
  readonly args: unknown
}

const ONE_OF_EACH: readonly unknown[] = ['a text', 1.5, true, ['a list'], { an: 'object' }]

/**
 * Arguments that break the tool's own schema: not an object, each required one missing or null, and each one with every
 * type that it does not have. Ranges of numbers are left to the tool.
 */
export function schemaBreakers(tool: ToolArguments): FaultyArguments[] {
  const { properties, required } = tool
  const fitting = fittingArguments(tool)
  const noObject = [[], ['a list'], 5, true, ...(required.length > 0 ? [null, undefined] : [])]
  return [
    ...noObject.map((args) => ({ fault: `${JSON.stringify(args)} instead of an object`, args })),
    ...required.flatMap((name) => {
      const { [name]: left, ...rest } = fitting
      return [
        { fault: `no ${name}`, args: rest },
        { fault: `${name} left undefined`, args: { ...rest, [name]: undefined } },
      ]
    }),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      [...ONE_OF_EACH, ...(required.includes(name) ? [null] : [])]
        .filter((value) => breaksSchema(value, schema))
        .map((value) => ({
          fault: `${JSON.stringify(value)} as ${name}`,
          args: { ...fitting, [name]: value },
        })),
    ),
  ]
}

const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'the end of a statement in SQL': `'; DROP TABLE messages; --`,
  'the same in double quotes': '"; DROP TABLE messages; --',
  'a lone quotation mark': '"',
  'an operator of full-text search': 'NEAR(',
  'a star': '*',
  'a column filter': 'content:^ AND OR NOT -',
  'an unclosed group': '(((',
  'a zero byte': 'a\u0000b',
  'half a surrogate pair': '\ud83d',
  'a path that climbs': '../../../../etc/passwd',
  'a name of a prototype': '__proto__',
  'a pattern with placeholders': '%s %_ $1 $& {{x}}',
  'a million characters': 'x'.repeat(1_000_000),
}

const HOSTILE_NUMBERS = [-1, 1e308, Number.MAX_SAFE_INTEGER + 2, 0.5, Number.NaN, Number.POSITIVE_INFINITY]

export function hostileArguments(tool: ToolArguments): FaultyArguments[] {
  const fitting = fittingArguments(tool)
  const numbers = new Set([...namesOfType(tool, 'integer'), ...namesOfType(tool, 'number')])
  return [
    ...namesOfType(tool, 'string').flatMap((name) =>
      Object.entries(HOSTILE_TEXTS).map(([fault, text]) => ({
        fault: `${fault} as ${name}`,
        args: { ...fitting, [name]: text },
      })),
    ),
    ...[...numbers].flatMap((name) =>
      HOSTILE_NUMBERS.map((value) => ({ fault: `${value} as ${name}`, args: { ...fitting, [name]: value } })),
    ),
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((key) => ({
      fault: `a key named ${key}`,
      // Parsed from text, because an assignment to __proto__ would not make a key.
      args: { ...fitting, ...JSON.parse(`{${JSON.stringify(key)}: {"polluted": true}}`) },
    })),
  ]
}
