import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { sessionsCommand } from '../../src/commands/sessions.ts'

/** A home folder of a test's own, which the process takes for its user's. Gone when disposed. */
export function fakeHome() {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-home-'))
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'PI_CODING_AGENT_DIR', 'XDG_DATA_HOME'])
    vi.stubEnv(name, '')
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
  let age = 0
  return {
    home,
    /** Writes a file of lines, or of a text as it is. Each is an hour older than the one before. */
    write(path: string, content: readonly unknown[] | string): string {
      const file = join(home, path)
      mkdirSync(dirname(file), { recursive: true })
      const text =
        typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join('')
      writeFileSync(file, text)
      const time = Date.UTC(2026, 0, 31, 12) / 1_000 - 3_600 * age++
      utimesSync(file, time, time)
      return file
    },
    [Symbol.dispose]() {
      vi.unstubAllEnvs()
      rmSync(home, { recursive: true })
    },
  }
}

/** Runs `palimpsest sessions`, and returns what it writes. */
export async function runSessions(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += text
      return true
    }),
  )
  try {
    await sessionsCommand().exitOverride().parseAsync(args, { from: 'user' })
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.exitCode = 0
  }
  return written
}

/** The first lines of a session of Claude Code. */
export const claudeLines = (text: string, cwd = '/work/shop') => [
  { type: 'file-history-snapshot', messageId: 'm' },
  { type: 'user', isMeta: true, cwd, message: { role: 'user', content: 'Caveat: of the host' } },
  { type: 'user', cwd, message: { role: 'user', content: '<command-name>/clear</command-name>' } },
  { type: 'user', cwd, message: { role: 'user', content: [{ type: 'text', text }] } },
  { type: 'assistant', cwd, message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] } },
]

/** The first lines of a rollout of Codex. */
export const codexLines = (text: string, cwd = '/work/shop') => [
  { type: 'session_meta', payload: { id: 's', cwd, base_instructions: { text: 'You are an agent.' } } },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>…</environment_context>' }],
    },
  },
  {
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Files: …\n${text}` }] },
  },
  { type: 'event_msg', payload: { type: 'user_message', message: text } },
]

/** The first lines of a session of pi. */
export const piLines = (text: string, cwd = '/work/shop') => [
  { type: 'session', version: 3, id: 's', cwd },
  { type: 'message', id: 'u', message: { role: 'user', content: text } },
]

/** Permissions do not bind the superuser, whom containers run tests as. */
export async function asOrdinaryUser<T>(home: string, task: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return task()
  chmodSync(home, 0o755)
  process.seteuid?.(65_534)
  try {
    return await task()
  } finally {
    process.seteuid?.(0)
  }
}
