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
  runCli(['store', ...args], { cwd: path(''), env: { TMPDIR: path('tmp') }, input })

describe('export | import -', () => {
  it('takes an export from standard input, and leaves no copy behind', async () => {
    const text = await prints('export')
    const { code, stdout, stderr } = await pipe(text, 'import', '-', '--store', 'copy.db')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'standard input: an export, 1 new session\n',
      stderr: '',
    })
    expect((await run('store', 'export', '--store', 'copy.db')).stdout).toBe(text)
    const left = (await readdir(path('tmp'))).filter((name) => !name.includes('cache'))
    expect(left).toEqual([])
  })
})
