import { type Plugin, RolldownMagicString } from 'rolldown'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

interface Place {
  readonly node: Node
  readonly parents: readonly Parent[]
  /** Of the parent, that the node is in. */
  readonly key: string
}

type Parent = Node & Readonly<Record<string, unknown>>

/** A property of Unicode takes up to a millisecond to read: Node does so when the module is compiled, and again when the expression is made. */
const COSTLY = /\\p\{/i
/** Methods that begin at the start of the text, wherever the last search has ended. */
const FROM_START = /^(?:match|matchAll|replace|replaceAll|split|search)$/
/** The function that makes them, of their source and their flags. */
export const WHEN_USED = 'expressionWhenUsed'
const HELPER = `const ${WHEN_USED} = (source, flags) => {
	let made;
	return () => made ??= new RegExp(source, flags);
};
`

/**
 * Makes expressions that are slow to read when they are first used. They are constants of a module or stand in a function; elsewhere
 * they are made while it loads, and the build fails.
 */
export function lateExpressions(): Plugin {
  return {
    name: 'late-expressions',
    renderChunk(code, { fileName }) {
      if (fileName.startsWith('inlined-') || !COSTLY.test(code)) return undefined
      const { literals, identifiers, start } = placesIn(this.parse(code))
      if (literals.length === 0) return undefined
      const text = new RolldownMagicString(code)
      const hoisted: string[] = []
      for (const place of literals) {
        const { pattern, flags } = place.node.regex ?? { pattern: '', flags: '' }
        const made = `${WHEN_USED}(${JSON.stringify(pattern)}, "${flags}")`
        const uses = isConstant(place) ? usesOf(place, identifiers) : undefined
        if (uses !== undefined) {
          text.overwrite(place.node.start, place.node.end, made)
          for (const { node } of uses) text.appendLeft(node.end, '()')
        } else if (isShareable(place)) {
          text.overwrite(place.node.start, place.node.end, `expression${hoisted.length}()`)
          hoisted.push(`const expression${hoisted.length} = ${made};\n`)
        } else
          throw new Error(
            `${fileName}: /${pattern}/${flags} is made while the module loads: make it a constant that is only searched with, or let a function make it`,
          )
      }
      text.appendLeft(start, HELPER + hoisted.join(''))
      return text
    },
  }
}

/** The expressions of a program that are costly, its identifiers, and the end of its imports. */
function placesIn(program: object) {
  const literals: Place[] = []
  const identifiers: Place[] = []
  walk(program, [], '', (place) => {
    if (place.node.type === 'Identifier') identifiers.push(place)
    else if (COSTLY.test(place.node.regex?.pattern ?? '')) literals.push(place)
  })
  const { body } = program as { readonly body: readonly Node[] }
  const start = body.find(({ type }) => type !== 'ImportDeclaration')?.start ?? 0
  return { literals, identifiers, start }
}

function walk(value: unknown, parents: readonly Parent[], key: string, visit: (place: Place) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, parents, key, visit)
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    const node = value as Parent
    visit({ node, parents, key })
    for (const [name, child] of Object.entries(node)) walk(child, [...parents, node], name, visit)
  }
}

/** `const NAME = /…/` of the module. */
const isConstant = ({ parents }: Place): boolean =>
  parents.map(({ type }) => type).join() === 'Program,VariableDeclaration,VariableDeclarator'

/** Places that search with the constant; undefined when its name stands for anything else too. */
function usesOf({ parents }: Place, identifiers: readonly Place[]): Place[] | undefined {
  const declared = parents.at(-1)?.id as Node | undefined
  const named = identifiers.filter(
    ({ node, parents, key }) =>
      node.name === declared?.name && node !== declared && !isKey(parents.at(-1), key),
  )
  const areUses = named.every(({ parents, key }) =>
    ['MemberExpression object', 'CallExpression arguments'].includes(`${parents.at(-1)?.type} ${key}`),
  )
  return areUses ? named : undefined
}

const isKey = (parent: Parent | undefined, key: string): boolean =>
  (key === 'property' || key === 'key') && parent?.computed === false && parent.shorthand !== true

/** One object does for all calls of the function: a search leaves nothing in it. */
function isShareable({ node, parents, key }: Place): boolean {
  if (!parents.some(({ type }) => /Function/.test(type))) return false
  if (!/[gy]/.test(node.regex?.flags ?? '')) return true
  const { callee } = (parents.at(-1) ?? {}) as { readonly callee?: { readonly property?: Node } }
  return (
    key === 'arguments' && FROM_START.test(callee?.property?.name ?? '') && !node.regex?.flags.includes('y')
  )
}
