import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { call, scriptedModel, wireTokens } from './support/scripted-provider.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('../../../examples/langchain', import.meta.url))
const HOOKS = new URL('support/use-node-database.ts', import.meta.url).href

/** A folder with the example in it, installed: what it depends on is what this package was tested with. */
function installExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'langchain-example-'))
  cpSync(EXAMPLE, folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(name === '@palimpsest/langchain' ? PACKAGE : join(PACKAGE, 'node_modules', name), link)
  }
  return folder
}

it('is a chat that another process goes on with, past the window', async () => {
  const folder = installExample()
  const { model, requests } = await scriptedModel(({ messages, tools = [] }) => {
    if (tools.length === 0) return '## Goal\nKeep the notes. The ledger counts in cents.'
    const last = messages.at(-1)
    if (last?.role === 'tool') return `It says: ${JSON.stringify(last.content).match(/We chose \w+/)}`
    return String(last?.content).endsWith('?') ? call('1', 'lcm_grep', { query: 'chose' }) : 'Noted.'
  })
  const run = async (...lines: string[]): Promise<string> => {
    const options = ['--conditions=@palimpsest/source', '--import', HOOKS]
    const child = spawn(process.execPath, [...options, 'chat.ts', 'ledger', 'scripted'], {
      cwd: folder,
      env: {
        ...process.env,
        OPENAI_API_KEY: 'sk-scripted',
        OPENAI_BASE_URL: String(model.clientConfig.baseURL),
      },
    })
    child.stdin.end(lines.join('\n'))
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    const faults = errors.split('\n').filter((line) => line !== '' && !line.endsWith('tokens are left]'))
    expect(faults).toEqual([])
    return output
  }
  const notes = Array.from(
    { length: 40 },
    (_, at) => `Note ${at}: ${'the ledger counts in cents. '.repeat(60)}`,
  )
  expect(await run('We chose Postgres.', ...notes)).toBe('Noted.\n'.repeat(41))
  const before = requests.length
  expect(await run('Which database did we choose?')).toBe('It says: We chose Postgres\n')
  expect(Math.max(...requests.map(wireTokens))).toBeLessThan(16_000)
  // The second process began with the summaries of the first: it wrote none.
  const [first, ...others] = requests.slice(before)
  expect(JSON.stringify(first?.messages)).toContain('[Context summary')
  expect(others).toHaveLength(1)
})
