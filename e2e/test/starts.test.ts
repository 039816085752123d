import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY_ROOT } from '../repository-root.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-starts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PACKAGE =
  /^file:.*?(?:\/(?:packages|apps)\/([\w-]+)\/dist\/|\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/))/

/** Packages that a process loads, each as often as it loads a file of it. */
async function loadedBy(args: readonly string[], input = ''): Promise<string[]> {
  const path = join(folder, 'loaded.json')
  const watch = `
    import { registerHooks } from 'node:module'
    import { writeFileSync } from 'node:fs'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    process.on('exit', () => writeFileSync(${JSON.stringify(path)}, JSON.stringify(urls)))`
  const started = promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, ...args],
    { cwd: REPOSITORY_ROOT, env: { ...process.env, PALIMPSEST_HOME: folder, XDG_CACHE_HOME: folder } },
  )
  started.child.stdin?.end(input)
  await started
  const urls: string[] = JSON.parse(await readFile(path, 'utf8'))
  return urls.flatMap((url) => {
    const [, own, other] = PACKAGE.exec(url) ?? []
    return own ?? other ?? []
  })
}

it.each([
  ['core', []],
  ['tokens', ['core']],
  ['compressor', ['core', 'summaries']],
  ['decisions', ['core', 'store', 'summaries']],
  ['lcm', ['@eslint-community/regexpp', 'core', 'store', 'summaries']],
])('an import of %s loads what it needs alone, in few files', async (name, others) => {
  const url = pathToFileURL(join(REPOSITORY_ROOT, 'packages', name, 'dist/index.js'))
  const loaded = await loadedBy(['--input-type=module', '--eval', `import '${url}'`])
  expect(new Set(loaded)).toEqual(new Set([name, ...others]))
  expect(loaded.length).toBeLessThanOrEqual(15)
})

it('a command loads what it needs alone, in few files', async () => {
  const [session, store] = ['session.jsonl', 'store.db'].map((name) => join(folder, name)) as [string, string]
  const said = { type: 'user', message: { role: 'user', content: 'Use Postgres for the ledger.' } }
  await writeFile(session, JSON.stringify(said))
  const loads = async (args: readonly string[], mostFiles: number, source?: string) => {
    const event = { hook_event_name: 'SessionStart', source, transcript_path: session }
    const main = join(REPOSITORY_ROOT, 'apps/palimpsest/dist/main.js')
    const loaded = await loadedBy([main, ...args], source === undefined ? '' : JSON.stringify(event))
    expect(loaded.length, args.join(' ')).toBeLessThanOrEqual(mostFiles)
    return new Set(loaded)
  }
  const own = ['core', 'palimpsest']
  const hook = ['hook', 'claude-code']
  expect(await loads(['--help'], 30)).toEqual(new Set([...own, 'commander']))
  expect(await loads(hook, 30, 'startup')).toEqual(new Set([...own, 'commander', 'summaries']))
  expect(await loads(hook, 60, 'compact')).toEqual(new Set([...own, 'commander', 'summaries', 'transcripts']))
  await loads(['store', 'import', session, '--store', store], 100)
  expect(await loads(['lcm', 'grep', 'ledger', '--store', store], 60)).toEqual(
    new Set([
      ...own,
      ...[
        '@eslint-community/regexpp',
        '@orama/stemmers',
        'commander',
        'lcm',
        'picocolors',
        'store',
        'summaries',
      ],
    ]),
  )
})
