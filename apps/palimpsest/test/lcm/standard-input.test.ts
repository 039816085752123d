import { mkdir, readdir } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, prints, run } = useStoreFolder()

beforeEach(async () => {
  await mkdir(path('tmp'))
  await write('talk.jsonl', lines(TALK))
  await prints('import', 'talk.jsonl')
})

const pipe = (input: string, ...args: string[]) =>
  runCli(['lcm', ...args], { cwd: path(''), env: { TMPDIR: path('tmp') }, input })

describe('export | import -', () => {
  it('takes an export from standard input, and leaves no copy behind', async () => {
    const text = await prints('export')
    const { code, stdout, stderr } = await pipe(text, 'import', '-', '--store', 'copy.db')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'standard input: an export of 1 session; 7 new messages\n',
      stderr: '',
    })
    expect((await run('lcm', 'export', '--store', 'copy.db')).stdout).toBe(text)
    const left = (await readdir(path('tmp'))).filter((name) => !name.includes('cache'))
    expect(left).toEqual([])
  })

  it('takes a recording under the name that it is given, and says what is no recording', async () => {
    const named = ['import', '-', '--store', 'store.db', '--session', 'piped']
    expect((await pipe(lines(TALK), ...named)).stdout).toBe('piped: 7 new messages\n')
    const cases: [RegExp, string, ...string[]][] = [
      [/standard input has no name for a session: .*--session <id>/, lines(TALK), ...named.slice(0, 4)],
      [/standard input is of no known format/, 'total 12\n', ...named],
      [/standard input is empty/, '', ...named],
      [
        /line 1: .*this is no export/,
        (await prints('export')).split('\n').slice(1).join('\n'),
        ...named.slice(0, 4),
      ],
    ]
    for (const [pattern, text, ...args] of cases) {
      const { code, stdout, stderr } = await pipe(text, ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(pattern)
    }
  })
})
