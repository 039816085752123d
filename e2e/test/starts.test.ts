import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseSync } from 'rolldown/utils'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY_ROOT } from '../repository-root.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-starts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Modules of Node that take milliseconds to load. */
const SLOW =
  /^NativeModule (?:child_process|cluster|crypto|http|http2|https|tls|worker_threads|zlib|internal\/deps\/undici\/undici)$/

/** Packages that a process loads, with the number of their files, and slow modules of Node. */
async function loadedBy(args: readonly string[], input = ''): Promise<Record<string, number>> {
  const path = join(folder, 'loaded.json')
  const watch = `
    import { registerHooks } from 'node:module'
    import { writeFileSync } from 'node:fs'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    process.on('exit', () => writeFileSync(${JSON.stringify(path)}, JSON.stringify([...urls, ...process.moduleLoadList])))`
  const started = promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, ...args],
    { cwd: REPOSITORY_ROOT, env: { ...process.env, PALIMPSEST_HOME: folder, XDG_CACHE_HOME: folder } },
  )
  started.child.stdin?.end(input)
  await started
  const names = (JSON.parse(await readFile(path, 'utf8')) as string[]).flatMap((loaded) => {
    const [, own, other] =
      /^file:.*?(?:\/(?:packages|apps)\/([\w-]+)\/dist\/|\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/))/.exec(
        loaded,
      ) ?? []
    const slow = SLOW.test(loaded) ? loaded.replace('NativeModule ', 'node:') : undefined
    return own ?? other ?? slow ?? []
  })
  return Object.fromEntries(names.map((name) => [name, names.filter((other) => other === name).length]))
}

const builtFile = (path: string) => pathToFileURL(join(REPOSITORY_ROOT, 'packages', path)).href
const imported = (name: string) =>
  loadedBy(['--input-type=module', '--eval', `import '${builtFile(`${name}/dist/index.js`)}'`])
const palimpsest = (args: readonly string[], input?: string) =>
  loadedBy([join(REPOSITORY_ROOT, 'apps/palimpsest/dist/main.js'), ...args], input)

it('an import of an engine loads few files, and no module of Node that is slow', async () => {
  const core = { core: 5, summaries: 1 }
  expect(await imported('core')).toEqual({ core: 4 })
  expect(await imported('tokens')).toEqual({ core: 4, tokens: 2 })
  expect(await imported('compressor')).toEqual({ ...core, compressor: 1 })
  expect(await imported('decisions')).toEqual({ ...core, decisions: 2 })
  expect(await imported('lcm')).toEqual({ ...core, lcm: 2, '@eslint-community/regexpp': 1 })
})

it('an import of an engine builds no schema', async () => {
  for (const name of ['compressor', 'decisions', 'lcm', 'prompt-caching']) {
    const program = `
      import '${builtFile(`${name}/dist/index.js`)}'
      import { z } from '${builtFile('core/dist/options.js')}'
      import { queryObjects } from 'node:v8'
      const schemas = [z.object({}), z.string(), z.number()]
      console.log(...schemas.map(({ constructor }) => queryObjects(constructor, { format: 'count' })))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    expect([name, stdout]).toEqual([name, '1 1 1\n'])
  }
})

it('no expression with a property of Unicode is read before it is used', async () => {
  for (const path of globSync('{packages,apps}/*/dist/*.js', { cwd: REPOSITORY_ROOT })) {
    if (path.includes('inlined-')) continue
    const { program } = parseSync(path, await readFile(join(REPOSITORY_ROOT, path), 'utf8'))
    const costly: string[] = []
    JSON.stringify(program, (key, value) => {
      if (key === 'regex' && /\\p\{/i.test(value?.pattern)) costly.push(value.pattern)
      return typeof value === 'bigint' ? String(value) : value
    })
    expect([path, ...costly]).toEqual([path])
  }
})

it('a command loads what it uses', async () => {
  const input = (source: string) =>
    JSON.stringify({ hook_event_name: 'SessionStart', source, transcript_path: session })
  const [session, store] = ['session.jsonl', 'store.db'].map((name) => join(folder, name)) as [string, string]
  const said = { type: 'user', message: { role: 'user', content: 'Use Postgres for the ledger.' } }
  await writeFile(session, JSON.stringify(said))
  const hook = ['hook', 'claude-code']
  const own = ['core', 'palimpsest']
  const found = async (args: readonly string[], mostFiles: number, event?: string) => {
    const loaded = await palimpsest(args, event)
    const files = Object.values(loaded).reduce((sum, count) => sum + count)
    expect(files, args.join(' ')).toBeLessThanOrEqual(mostFiles)
    return Object.keys(loaded).sort()
  }
  expect(await found(['--help'], 20)).toEqual(own)
  expect(await found(hook, 20, input('startup'))).toEqual([...own, 'summaries'].sort())
  expect(await found(hook, 26, input('compact'))).toEqual(
    [...own, 'decisions', 'summaries', 'node:crypto'].sort(),
  )
  await palimpsest(['lcm', 'import', session, '--store', store])
  expect(await found(['lcm', 'grep', 'ledger', '--store', store], 40)).toEqual(
    ['@eslint-community/regexpp', ...own, 'summaries', 'lcm', 'sqlite-kit'].sort(),
  )
})
