import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, prints, refuses } = useStoreFolder()
const STORE = ['--store', 'store.db']

describe('a store that cannot be used', () => {
  beforeEach(() => write('talk.jsonl', lines(TALK)))

  it('is not there', async () => {
    for (const command of ['lcm sessions', 'store verify --repair', 'store export'])
      await refuses(/there is no store .*store\.db; palimpsest store import/, ...command.split(' '), ...STORE)
    expect(await readdir(path(''))).toEqual(['talk.jsonl'])
  })
  it('is not named', () =>
    refuses(
      /name the store: --store <file or address>, or PALIMPSEST_STORE_URL, or in config\.yaml/,
      'lcm',
      'sessions',
    ))
  it('is a folder', async () => {
    await mkdir(path('folder'))
    await refuses(/is a folder/, 'lcm', 'sessions', '--store', 'folder')
  })
  it('is one line of the program itself', async () => {
    const { code, stdout, stderr } = await runCli(['store', 'verify', ...STORE], { cwd: path('') })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^palimpsest: there is no store .*\n$/)
  })
  it('is an empty file, which nobody but import writes into', async () => {
    await write('store.db', '')
    await chmod(path(), 0o644)
    for (const command of ['lcm sessions', 'store verify', 'store verify --repair', 'store export'])
      await refuses(/there is no store .*store\.db \(the file is empty\)/, ...command.split(' '), ...STORE)
    expect(await stat(path())).toMatchObject({ size: 0, mode: 0o100644 })
    await prints('import', 'talk.jsonl')
    expect((await stat(path())).mode & 0o777).toBe(0o600)
  })
  it('is an empty database', async () => {
    const database = new DatabaseSync(path())
    database.exec('CREATE TABLE t (x); DROP TABLE t')
    database.close()
    const before = await stat(path())
    for (const command of [
      ['lcm', 'sessions'],
      ['store', 'verify'],
    ])
      await refuses(/there is no store in .*nothing was written to it yet/, ...command, ...STORE)
    expect((await stat(path())).mtimeMs).toBe(before.mtimeMs)
  })
  it('is damaged below its tables', async () => {
    await prints('import', 'talk.jsonl')
    const bytes = await readFile(path())
    bytes.fill(0x5a, 100, 4000)
    await writeFile(path(), bytes)
    await refuses(
      /is damaged \(.*\); take an older copy, or export what can be read: palimpsest store export --session <id>/,
      ...['lcm', 'sessions', ...STORE],
    )
  })
  it('is something else', async () => {
    await refuses(/not a store/, 'lcm', 'sessions', '--store', 'talk.jsonl')
    await refuses(/not a store/, 'store', 'import', 'talk.jsonl', '--store', 'talk.jsonl')
  })
  it('is named wrongly in the configuration', async () => {
    await write('config.yaml', 'store:\n  ulr: x.db\n')
    await refuses(/ulr.*"url".*config\.yaml/, 'lcm', 'sessions')
    await mkdir(path('folder'))
    await write('config.yaml', 'store:\n  url: folder\n')
    await refuses(/folder is a folder; name the file of the store/, 'lcm', 'sessions')
    await write('config.yaml', 'store:\n  url: ~/palimpsest-nowhere.db\n')
    const home = join(homedir(), 'palimpsest-nowhere.db')
    await refuses(new RegExp(`there is no store ${home};`), 'lcm', 'sessions')
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
      [
        /name the session with --session, or search all of them with --all; there are: other, talk/,
        'grep',
        'x',
      ],
      [/no session "nobody".*there are: other, talk/, 'grep', 'x', '--session', 'nobody'],
      [/not a regular expression/, 'grep', 'a(', '--mode', 'regex', '--session', 'talk'],
      [/"--since" must be a date/, 'grep', 'x', '--since', 'yesterday', '--session', 'talk'],
      [/leave out --session/, 'grep', 'x', '--all', '--session', 'talk'],
      [/'--role <role>' argument 'toool' is invalid.*user, assistant/, 'grep', 'x', '--role', 'toool'],
      [/'--role <role>' argument 'user,tool' is invalid/, 'grep', 'x', '--role', 'user,tool'],
      [/--since must be an earlier time/, 'grep', 'x', '--since', '2026-02-01', '--before', '2026-01-01'],
      [/from 1 on/, 'grep', 'x', '--limit', '0'],
      [/from 0 to 10/, 'grep', 'x', '--context', '11'],
      [/m12 or m12-m40, not "m1\.\.m3"/, 'forget', 'm1..m3', '--reason', 'x', '--yes', '--session', 'talk'],
      [/--at takes a message .* or a version .*, not "yesterday"/, 'context', '--at', 'yesterday'],
      [/"x7" is not an id/, 'expand', 'x7', '--session', 'talk'],
      [/no m99; messages go from m0 to m6/, 'expand', 'm99', '--session', 'talk'],
      [/no s1;/, 'expand', 's1', '--session', 'talk'],
      [/no m99;/, 'context', '--at', 'm99', '--session', 'talk'],
      [/--at takes a message/, 'context', '--at', 's3', '--session', 'talk'],
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
    ]
    for (const [pattern, ...args] of cases)
      await refuses(pattern, args[0] === 'import' ? 'store' : 'lcm', ...args, ...STORE)
  })
})
