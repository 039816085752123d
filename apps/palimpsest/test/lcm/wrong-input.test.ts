import { mkdir, readdir } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, prints, refuses } = useStoreFolder()
const STORE = ['--store', 'store.db']

describe('a store that cannot be used', () => {
  beforeEach(() => write('talk.jsonl', lines(TALK)))

  it('is not there', async () => {
    for (const command of [['stats'], ['verify'], ['doctor', '--repair'], ['undo'], ['export']])
      await refuses(/there is no store .*store\.db; palimpsest lcm import/, 'lcm', ...command, ...STORE)
    expect(await readdir(path(''))).toEqual(['talk.jsonl'])
  })
  it('is not named', () => refuses(/name the store: --store <file>, or .*config\.yaml/, 'lcm', 'stats'))
  it('is a folder', async () => {
    await mkdir(path('folder'))
    await refuses(/is a folder/, 'lcm', 'stats', '--store', 'folder')
  })
  it('is one line of the program itself', async () => {
    const { code, stdout, stderr } = await runCli(['lcm', 'verify', ...STORE], { cwd: path('') })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^palimpsest: there is no store .*\n$/)
  })
  it('is something else', async () => {
    await refuses(/not a store/, 'lcm', 'stats', '--store', 'talk.jsonl')
    await refuses(/not a store/, 'lcm', 'import', 'talk.jsonl', '--store', 'talk.jsonl')
  })
  it('is named wrongly in the configuration', async () => {
    await write('config.yaml', 'lcm:\n  store: 7\n')
    await refuses(/lcm\.store must be the path of a file/, 'lcm', 'stats')
  })
})

describe('what makes no sense', () => {
  beforeEach(async () => {
    await write('talk.jsonl', lines(TALK))
    await write('other.jsonl', lines(TALK))
    await prints('import', 'talk.jsonl', 'other.jsonl')
  })

  it('is refused in one line that says what would be right', async () => {
    const cases: [RegExp, ...string[]][] = [
      [/name the session with --session; there are: other, talk/, 'grep', 'x'],
      [/no session "nobody".*there are: other, talk/, 'grep', 'x', '--session', 'nobody'],
      [/no regular expression/, 'grep', 'a(', '--mode', 'regex', '--session', 'talk'],
      [/"--since" must be a time/, 'grep', 'x', '--since', 'yesterday', '--session', 'talk'],
      [/leave out --session/, 'grep', 'x', '--all', '--session', 'talk'],
      [/"x7" is no id/, 'expand', 'x7', '--session', 'talk'],
      [/no m99; messages go from m0 to m6/, 'expand', 'm99', '--session', 'talk'],
      [/no s1;/, 'expand', 's1', '--session', 'talk'],
      [/no m99;/, 'context', '--at', 'm99', '--session', 'talk'],
      [/--at takes a message/, 'context', '--at', 's3', '--session', 'talk'],
      [/no m99;/, 'fork', '--at', 'm99', '--as', 'new', '--session', 'talk'],
      [/a session other already/, 'fork', '--at', 'm3', '--as', 'other', '--session', 'talk'],
      [/m12 or m12-m40, not "m5-m3"/, 'forget', 'm5-m3', '--reason', 'x', '--yes', '--session', 'talk'],
      [/--reason/, 'forget', 'm5', '--yes', '--session', 'talk'],
      [/nowhere\.jsonl does not exist/, 'import', 'nowhere.jsonl'],
      [
        /--session names the session of one recording/,
        'import',
        'talk.jsonl',
        'other.jsonl',
        '--session',
        'x',
      ],
      [/would both be the session "talk"/, 'import', 'talk.jsonl', './talk.jsonl'],
      [/--out names/, 'export', '--out', 'store.db'],
      [/use --json with --out/, 'export', '--json'],
    ]
    for (const [pattern, ...args] of cases) await refuses(pattern, 'lcm', ...args, ...STORE)
    console.log(`${cases.length} wrong calls refused in one line`)
  })
})
