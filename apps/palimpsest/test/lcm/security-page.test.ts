import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { lines, useStoreFolder } from './store-folder.ts'

const { path, write } = useStoreFolder()
const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
const [, example = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? []

beforeEach(() =>
  write(
    'session.jsonl',
    lines([
      { role: 'system', content: 'You are a coding agent.' },
      { role: 'user', content: 'Log in, please.' },
      { role: 'user', content: 'The password is hunter2, keep it.' },
      { role: 'assistant', content: 'I did.' },
    ]),
  ),
)

it('the page on security: a file for its user alone, a secret that is stored, and one that is forgotten', async () => {
  const commands = example.split('\n').flatMap((line) => /^palimpsest (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? [])
  const [load = [], grep = [], forget = [], again = []] = commands.map((command) =>
    [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  )
  const run = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: path('') })
    expect({ code, args, stderr }).toEqual({ code: 0, args, stderr: expect.anything() })
    return stdout
  }
  const inFile = async () => (await readFile(path('sessions.db'))).includes('hunter2')

  await run(load)
  // On Windows a file has the permissions of its folder.
  if (process.platform !== 'win32') expect((await stat(path('sessions.db'))).mode & 0o777).toBe(0o600)
  // The page says which number to forget.
  expect(await run(grep)).toMatch(new RegExp(`^${forget[2]}  user[\\s\\S]*keep it`))
  await run(forget)
  expect(await run(again)).not.toContain('keep it')
  expect(await inFile()).toBe(false)
})
