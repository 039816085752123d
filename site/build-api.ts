import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Application } from 'typedoc'
import { headingId } from '../scripts/heading-id.ts'

/** The entry points of the published packages: each source, and the name that a user imports. */
export function entryPoints(root: string): { readonly source: string; readonly name: string }[] {
  return globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
    return Object.entries(exports).flatMap(([subpath, { '@palimpsest/source': source }]) =>
      source === undefined ? [] : [{ source: join(dirname(path), source), name: join(name, subpath) }],
    )
  })
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly '@palimpsest/source'?: string }>>
}

/**
 * Packages whose types the reference does not show, but for `OpenAI`: reading them took a third of its time. A public name
 * that comes to have one of them shows it as `any`: then its package goes from this list.
 */
const UNREAD = [
  ...['openai', '@openai/agents', '@openai/agents-core', '@anthropic-ai/sdk', '@google/genai', 'langsmith'],
  ...['@earendil-works/pi-ai', '@earendil-works/pi-coding-agent', '@langchain/langgraph', 'typescript'],
  ...['@mastra/schema-compat', '@modelcontextprotocol/sdk', '@modelcontextprotocol/core'],
  '@modelcontextprotocol/client',
]

/** Writes the reference of all public names as Markdown, with a sidebar for the site. */
export async function buildApi(root: string, out: string): Promise<void> {
  const entries = entryPoints(root)
  // TypeDoc names a module after its file, below the folder that all of them share.
  const names = new Map(
    entries.map(({ source, name }) => [
      source.slice('packages/'.length).replace(/(\/index)?\.ts$/, ''),
      name,
    ]),
  )
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ source }) => join(root, source)),
    tsconfig: join(root, 'tsconfig.declarations.json'),
    compilerOptions: {
      paths: Object.fromEntries(
        UNREAD.flatMap((name) => [name, `${name}/*`]).map((path) => [
          path,
          [join(root, 'site', 'unread.d.ts')],
        ]),
      ),
    },
    out,
    // A page for each module.
    router: 'module',
    // The check of types has its own command.
    skipErrorChecking: true,
    readme: 'none',
    disableSources: true,
    excludeInternal: true,
    // The names of zod have documents of their own.
    exclude: ['**/options/zod.ts'],
    logLevel: 'Error',
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc could not read the sources')
  for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('TypeDoc could not write the reference')
  mendAnchors(out)
}

/** A name that is a type and a constant has one heading; links to it count two. */
function mendAnchors(out: string): void {
  const pages = new Map(
    globSync('**/*.md', { cwd: out }).map((path) => [join(out, path), readFileSync(join(out, path), 'utf8')]),
  )
  const ids = new Map(
    [...pages].map(([path, text]) => [
      path,
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => headingId(title)),
    ]),
  )
  for (const [path, text] of pages) {
    const mended = text.replaceAll(/\]\(([^()#]*)#([\w-]+)-1\)/g, (link, target: string, id: string) => {
      const there = ids.get(target === '' ? path : join(dirname(path), target)) ?? []
      return there.filter((one) => one === id).length > 1 ? link : `](${target}#${id})`
    })
    writeFileSync(path, mended)
  }
}
