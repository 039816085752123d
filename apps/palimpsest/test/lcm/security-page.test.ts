import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { lines, useStoreFolder } from './store-folder.ts'

const { path, write } = useStoreFolder()
const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
const [, example = ''] = /```sh\n(palimpsest lcm grep [\s\S]*?)```/.exec(page) ?? []

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
  const [grep = [], forget = []] = commands.map((command) =>
    [...command.replace(/~\S+runs\.db/, 'sessions.db').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    ),
  )
  const run = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: path('') })
    expect({ code, args, stderr }).toEqual({ code: 0, args, stderr: expect.anything() })
    return stdout
  }
  const inFile = async () => (await readFile(path('sessions.db'))).includes('hunter2')

  await run(['store', 'import', 'session.jsonl', '--store', 'sessions.db'])
  // On Windows a file has the permissions of its folder.
  if (process.platform !== 'win32') expect((await stat(path('sessions.db'))).mode & 0o777).toBe(0o600)
  // The page says which number to forget, and where the session's id is.
  const [, id = ''] = new RegExp(`^(\\S+)\n${forget[2]}  user[\\s\\S]*keep it`).exec(await run(grep)) ?? []
  await run([...forget.map((word) => word.replace('<id>', id)), '--yes'])
  expect(await run(grep)).not.toContain('keep it')
  expect(await inFile()).toBe(false)
})
