import { existsSync, globSync } from 'node:fs'
import { chmod, glob, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type GetModuleInfo, type Plugin } from 'rolldown'
import { lateExpressions } from './late-expressions.ts'

/**
 * `pnpm bundle`: bundles the entries of each package and app into its `dist`, one file for each and chunks for what they
 * share. Entries are the exports and the commands of `package.json`. What is imported from other packages stays an import, but for
 * what makes a start slow: see `INLINED`.
 */
const MORE_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  // Private, so that it exports nothing and has no command.
  bench: ['main'],
  // Started as a process of its own.
  'contract-tests': ['cli/worker'],
}

/**
 * Packages of others that are slow to load: zod brings 64 languages, yaml 72 modules, gpt-tokenizer 200,000 strings. What is used of them goes into chunks,
 * `inlined-*.js`, with the licences in `licenses.md`.
 */
const INLINED: Readonly<Record<string, RegExp>> = {
  core: /^(?:zod|yaml)$/,
  palimpsest:
    /^(?:commander|picocolors|zod(?:\/|$)|@hono\/(?:node-server|zod-)|@asteasolutions\/|openapi3-ts)/,
  tokens: /^gpt-tokenizer\//,
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
}

async function bundle(folder: string): Promise<void> {
  const { exports = {}, bin = {} }: Manifest = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const commands = Object.values(bin)
  const exported = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default],
  )
  const names = [
    ...[...exported, ...commands].map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, '$1')),
    ...(MORE_ENTRIES[basename(folder)] ?? []),
  ]
  const dist = join(folder, 'dist')
  for await (const path of glob('**/*.js{,.map}', { cwd: dist, exclude: ['page'] }))
    await rm(join(dist, path))
  await build({
    input: Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    external: (id) =>
      /^[^./\0]/.test(id) && !INLINED[basename(folder)]?.test(id) && !isWhenUsed(id) && id !== 'node:http2',
    // Not Node's: yaml for it is 72 CommonJS modules, and one of ES modules for all else.
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'node22' },
    plugins: [withoutUnused(), builtInsWhenUsed(), ranksAsText(), lateExpressions(), licences()],
    output: {
      dir: dist,
      sourcemap: true,
      chunkFileNames: ({ name }) => (name.startsWith('inlined') ? 'inlined-[hash].js' : 'chunk-[hash].js'),
      codeSplitting: {
        groups: [
          { name: 'inlined', test: /node_modules|read-ranks/, entriesAware: true },
          // One file for what entries share: each costs half a millisecond.
          {
            name: (id, context) =>
              commands.length === 0 || isSelfContained(id, (other) => context.getModuleInfo(other))
                ? 'shared'
                : null,
            minShareCount: 2,
            debugName: 'shared',
          },
        ],
      },
      comments: { jsdoc: false },
    },
    logLevel: 'warn',
  })
  for (const path of commands) await chmod(join(folder, path), 0o755)
}

/** True for a module that loads no package: commands that do not need it lose little by loading it. */
function isSelfContained(id: string, infoOf: GetModuleInfo): boolean {
  const known = selfContained.get(id)
  if (known !== undefined) return known
  // Of modules that import each other.
  selfContained.set(id, true)
  const imported = infoOf(id)?.importedIds ?? []
  const isLight = !id.includes('node_modules') && imported.every((other) => isSelfContained(other, infoOf))
  const isPackage = /^[^./\0]/.test(id) && !isBuiltin(id) && !isAbsolute(id)
  selfContained.set(id, isLight && !isPackage)
  return isLight && !isPackage
}

const selfContained = new Map<string, boolean>()

/**
 * Modules of Node that are there from the start. An import is slow all the same, because it makes every name of the module: that of
 * `node:util` loads its decoders.
 */
const LOADED = ['node:fs', 'node:process', 'node:util']
/** Modules that are loaded with the first call of one of their functions. An import of `node:http` loads the whole of fetch. */
const LATE = [
  ...['node:child_process', 'node:crypto', 'node:fs/promises', 'node:http', 'node:https', 'node:net'],
  ...['node:stream/promises', 'node:worker_threads', 'node:zlib'],
]

function builtInsWhenUsed(): Plugin {
  return {
    name: 'built-ins-when-used',
    resolveId: (id) => (isWhenUsed(id) ? `\0${id}` : undefined),
    async load(virtual) {
      const id = virtual.slice(1)
      if (!isWhenUsed(id)) return undefined
      const names = Object.keys(await import(id)).filter(
        (name) => name !== 'default' && name !== 'module.exports',
      )
      const builtIn: Readonly<Record<string, unknown>> = { ...process.getBuiltinModule(id) }
      const isLate = (name: string) =>
        LATE.includes(id) && /^[a-z]/.test(name) && typeof builtIn[name] === 'function'
      return [
        `const builtIn = () => process.getBuiltinModule('${id}')`,
        ...names.map((name) =>
          isLate(name)
            ? `export const ${name} = (...input) => builtIn().${name}(...input)`
            : `export const ${name} = /* @__PURE__ */ (() => builtIn().${name})()`,
        ),
        LATE.includes(id)
          ? `export default { ${names.filter(isLate).join()} }`
          : 'export default /* @__PURE__ */ builtIn()',
      ].join('\n')
    },
  }
}

const isWhenUsed = (id: string): boolean => LOADED.includes(id) || LATE.includes(id)

/** Inlined code that nothing uses: languages of messages, and HTTP/2, which the service does not speak and which takes 20 ms to load. */
const UNUSED: readonly (readonly [RegExp, string])[] = [
  [/\/zod\/v4\/locales\/index\.js$/, 'export {}'],
  [/^node:http2$/, 'export class Http2ServerRequest {}\nexport const constants = {}'],
]

function withoutUnused(): Plugin {
  const codeOf = (id: string) => UNUSED.find(([of]) => of.test(id.replaceAll('\\', '/')))?.[1]
  return {
    name: 'without-unused',
    resolveId: (id) => (id.startsWith('node:') && codeOf(id) !== undefined ? `\0${id}` : undefined),
    load: (id) => codeOf(id.replace('\0', '')),
  }
}

/** Behind each token, and before one that is bytes. No token has these characters. */
const [END, BYTES] = ['\ue000', '\ue001']

/** Ranks of tokens as one text: it is passed over where an array of 200,000 strings is compiled. */
function ranksAsText(): Plugin {
  return {
    name: 'ranks-as-text',
    async load(id) {
      if (basename(id) !== 'read-ranks.ts') return undefined
      const path = (await this.resolve('gpt-tokenizer/bpeRanks/o200k_base', id))?.id ?? ''
      const { default: ranks }: { default: readonly (string | number[])[] } = await import(
        pathToFileURL(path).href
      )
      const text = ranks.map((token) => (typeof token === 'string' ? token : BYTES + token.join())).join(END)
      return `const ranks = ${JSON.stringify(text)}
        const read = (token) => (token[0] === '${BYTES}' ? token.slice(1).split(',').map(Number) : token)
        export const readRanks = () => ranks.split('${END}').map(read)`
    },
  }
}

/** Writes the licences of what is inlined, and leaves its source maps out: they are larger than all else. */
function licences(): Plugin {
  return {
    name: 'licences',
    async generateBundle(_, files) {
      const roots = new Set<string>()
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk' || !file.fileName.startsWith('inlined-')) continue
        for (const id of file.moduleIds) {
          const [root] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/')) ?? []
          if (root !== undefined) roots.add(root)
        }
        file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
        delete files[`${file.fileName}.map`]
      }
      const texts = [...roots].sort().map(async (root) => {
        const { name, version, license, homepage } = JSON.parse(
          await readFile(join(root, 'package.json'), 'utf8'),
        )
        // Some are published without the text of their licence.
        const file = join(root, 'LICENSE')
        const text = existsSync(file) ? await readFile(file, 'utf8') : `${license}, ${homepage}\n`
        return `## ${name} ${version}\n\n${text}`
      })
      if (roots.size === 0) return
      const source = ['# Licences of what `inlined-*.js` holds\n', ...(await Promise.all(texts))].join('\n')
      this.emitFile({ type: 'asset', fileName: 'licenses.md', source })
    },
  }
}

await Promise.all(globSync('{packages,apps}/*/package.json').map((path) => bundle(dirname(path))))
