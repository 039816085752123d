import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
}

/**
 * Dependencies whose code becomes a part of the build. As packages of their own they would add 35 ms to each import of an
 * engine (zod and yaml are more than 100 files), and 40 ms to that of tokens.
 */
const BUNDLED: Readonly<Record<string, RegExp>> = {
  'packages/core': /^(?:zod|yaml)$/,
  'packages/tokens': /^gpt-tokenizer\//,
}

/** Leaves the languages of zod's messages out. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {}' }))
  },
}

/** Ends each token. No token contains it. */
const END = '\ue000'
/** Begins a token that is not text but bytes. */
const BYTES = '\ue001'

/** Writes the tokenizer's ranks as one text, because an array of 200,000 texts takes 40 ms to compile. */
const ranksAsText: Plugin = {
  name: 'ranks-as-text',
  setup({ onLoad, resolve }) {
    onLoad({ filter: /[\\/]read-ranks\.ts$/ }, async ({ path }) => {
      const { path: file } = await resolve('gpt-tokenizer/bpeRanks/o200k_base', {
        kind: 'import-statement',
        resolveDir: dirname(path),
      })
      const { default: ranks }: { default: readonly (string | number[])[] } = await import(
        pathToFileURL(file).href
      )
      const text = ranks.map((token) => (typeof token === 'string' ? token : BYTES + token.join())).join(END)
      const contents = `const ranks = ${JSON.stringify(text)}
        const read = (token) => (token[0] === '${BYTES}' ? token.slice(1).split(',').map(Number) : token)
        export const readRanks = () => ranks.split('${END}').map(read)`
      return { contents }
    })
  },
}

/** Writes the licences of bundled dependencies beside the bundles. */
const licences: Plugin = {
  name: 'licences',
  setup({ initialOptions, onEnd }) {
    onEnd(({ metafile }) => {
      const roots = Object.keys(metafile?.inputs ?? {}).flatMap(
        (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [],
      )
      if (roots.length === 0) return
      const texts = [...new Set(roots)].sort().map((root) => {
        const { name, version, license, homepage } = JSON.parse(
          readFileSync(join(root, 'package.json'), 'utf8'),
        )
        const file = join(root, 'LICENSE')
        const text = existsSync(file) ? readFileSync(file, 'utf8') : `${license}, ${homepage}\n`
        return `## ${name} ${version}\n\n${text}`
      })
      const page = ['# Licences of the dependencies that these files contain\n', ...texts].join('\n')
      // This may run before esbuild writes the first bundle of a fresh clone.
      const folder = initialOptions.outdir ?? ''
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'licenses.md'), page)
    })
  },
}

/** Bundles what `package.json` exports, and its commands. Packages that it imports stay imports. */
function bundleOf(folder: string): Options {
  const { exports = {}, bin = {} }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = [...Object.values(exports), ...Object.values(bin)].flatMap((entry) => {
    const file = typeof entry === 'string' ? entry : entry.default
    return /^\.\/dist\/(.*)\.js$/.exec(file)?.slice(1) ?? []
  })
  return {
    name: folder,
    entry: Object.fromEntries(files.map((file) => [file, join(folder, 'src', `${file}.ts`)])),
    outDir: join(folder, 'dist'),
    // The page and the declarations have commands of their own.
    clean: ['!page/**', '!**/*.d.ts'],
    format: 'esm',
    target: 'node22',
    // As modules: for Node, yaml would be CommonJS.
    platform: 'neutral',
    external: [/^[^./]/],
    noExternal: [BUNDLED[folder] ?? []].flat(),
    removeNodeProtocol: false,
    sourcemap: true,
    silent: true,
    esbuildPlugins: [oneLanguage, ranksAsText, licences],
    esbuildOptions(options) {
      options.mainFields = ['module', 'main']
      options.charset = 'utf8'
      // The packages contain their sources.
      options.sourcesContent = false
    },
  }
}

export default defineConfig(
  globSync('{packages,apps}/*/package.json').map((path) => bundleOf(dirname(path).replaceAll('\\', '/'))),
)
