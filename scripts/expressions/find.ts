import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { WHEN_USED } from '../late-expressions.ts'

export interface Found {
  readonly source: string
  readonly flags: string
  /** The built files that hold it. */
  readonly files: Set<string>
}

/** As an expression is written in code, without the flags that change nothing about its time. */
const written = ({ source, flags }: Pick<Found, 'source' | 'flags'>): string =>
  `/${source}/${flags.replace('d', '')}`

/** Built files that Node runs, without code of others. The page in a browser sees the text of its own user alone. */
const BUILT = '{packages/*,apps/palimpsest}/dist/**/*.js'
const isPassedOver = (path: string): boolean => /\/dist\/(?:page\/|inlined-)/.test(path.replaceAll('\\', '/'))
/** Programs: they run when they are imported. */
const PROGRAM = /dist\/(?:main|bin|cli\/[\w-]+)\.js$/

/**
 * Every expression of the builds, by how it is written: the literals, and those that `new RegExp` makes while the
 * modules load and a message is read. What a user or a model writes as an expression is not among them.
 */
export async function findExpressions(): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const add = (source: string, flags: string, file: string): void => {
    const key = written({ source, flags })
    const known = found.get(key) ?? { source, flags: flags.replace('d', ''), files: new Set() }
    known.files.add(file)
    found.set(key, known)
  }
  const paths = globSync(BUILT).filter((path) => !isPassedOver(path))
  if (paths.length === 0) throw new Error('nothing is built: run `pnpm build` first')
  for (const path of paths) {
    const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
    if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
    walk(program, (node) => {
      const { regex } = node
      if (regex !== undefined) add(regex.pattern, regex.flags, path)
      const [source, flags] = node.callee?.name === WHEN_USED ? (node.arguments ?? []) : []
      if (source?.value !== undefined) add(source.value, flags?.value ?? '', path)
    })
  }
  await watchConstructor(paths, add)
  return found
}

interface Node {
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly value?: string }[]
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  visit(node)
  for (const child of Object.values(node)) walk(child, visit)
}

type Add = (source: string, flags: string, file: string) => void

async function watchConstructor(paths: readonly string[], add: Add): Promise<void> {
  const Original = globalThis.RegExp
  const own = new Map(paths.map((path) => [pathToFileURL(resolve(path)).href, path]))
  const make = (pattern: string | RegExp, flags?: string): RegExp => {
    const expression = new Original(pattern, flags)
    // The frames of this function and of the proxy stand before that of the caller.
    const place = new Error().stack?.split('\n')[3]?.match(/file:.*?\.js/)?.[0]
    const path = own.get(place ?? '')
    if (path !== undefined) add(expression.source, expression.flags, path)
    return expression
  }
  globalThis.RegExp = new Proxy(Original, {
    construct: (_, [pattern, flags]) => make(pattern, flags),
    apply: (_, __, [pattern, flags]) => make(pattern, flags),
  })
  try {
    for (const [url, path] of own) if (!PROGRAM.test(path)) await import(url)
    const { extractMessage } = await import(pathToFileURL(resolve('packages/decisions/dist/index.js')).href)
    extractMessage({ index: 0, message: { role: 'user', content: 'We use Postgres, for 3 reasons.' } })
  } finally {
    globalThis.RegExp = Original
  }
}
