import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type Answer, type ChatRequest, promptTokens, scriptedProvider } from './scripted-provider.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
/** The window of every chat among the examples, in tokens. */
const WINDOW = 16_000

/** A folder with an example in it, installed: what it depends on is what the package of the same name was tested with. */
export function installExample(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `example-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(REPOSITORY, 'examples', name), folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const ours = join(REPOSITORY, 'packages', name)
  for (const dependency of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(dependency === `@palimpsest/${name}` ? ours : join(ours, 'node_modules', dependency), link)
  }
  return folder
}

/** A model that takes notes, writes summaries, and searches when it is asked something. */
function answerTo({ messages, tools = [] }: ChatRequest): Answer {
  if (tools.length === 0) return '## Goal\nKeep the notes. The ledger counts in cents.'
  const last = JSON.stringify(messages.at(-1)?.content)
  if (messages.at(-1)?.role === 'tool') return `It says: ${/We chose \w+/.exec(last)?.[0]}`
  return last.includes('?') ? { calls: [{ name: 'lcm_grep', args: { query: 'chose' } }] } : 'Noted.'
}

/**
 * Has a conversation with an example's chat: notes of several windows, and, in another process, a question about the first. Fails
 * unless the chat answers within its window, and goes on with the summaries that it has.
 *
 * @param nodeOptions Of the example's processes. Default: none but the condition of the sources.
 */
export async function haveChat(name: string, nodeOptions: readonly string[] = []): Promise<void> {
  const folder = installExample(name)
  const provider = await scriptedProvider(answerTo)
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const run = async (...lines: string[]): Promise<string> => {
    const options = ['--conditions=@palimpsest/source', ...nodeOptions]
    const child = spawn(process.execPath, [...options, 'chat.ts', 'ledger', 'scripted'], {
      cwd: folder,
      env: { ...process.env, OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: provider.baseUrl },
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
  const before = provider.requests.length
  expect(await run('Which database did we choose?')).toBe('It says: We chose Postgres\n')
  expect(Math.max(...provider.requests.map(promptTokens))).toBeLessThan(WINDOW)
  // The second process began with the summaries of the first: it wrote none.
  const [first, ...others] = provider.requests.slice(before)
  expect(JSON.stringify(first?.messages)).toContain('[Context summary')
  expect(others).toHaveLength(1)
}
