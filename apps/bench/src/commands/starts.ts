import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageText } from '@palimpsest/core'
import { createScratchFolder } from '../lcm/scratch-folder.ts'
import { left, milliseconds, right, type Section, tableOf } from '../report/section.ts'
import { processorTime } from '../speed/processor-time.ts'
import { generateConversation } from '../workload/conversation.ts'
import { defineMeasure } from './define-measure.ts'
import { SEED } from './options.ts'

interface StartRow {
  readonly start: string
  /** The least milliseconds of all starts: what else the machine does makes them longer, and nothing makes them shorter. */
  readonly measured: number
  readonly floor: number
  /** Milliseconds above a process that does nothing. */
  readonly goal: number
}

interface StartsInput {
  /** The file that is the command line. */
  readonly main: string
  readonly seed: number
  readonly runs: number
}

/** Messages of the session that is searched, and behind whose compaction the hook is called. */
const MESSAGES = 1_000
const RUNS = 15

export const starts = defineMeasure<readonly StartRow[]>({
  description: 'what processes take until they are of use: commands, imports of packages, the service',
  options: [SEED],
  run: async ({ seed }, { root }) =>
    measureStarts({ main: fileURLToPath(new URL('../palimpsest/dist/main.js', root)), seed, runs: RUNS }),
  sections: startsSection,
})

/** Each in a process of its own, in turn with a process that does nothing. */
export function measureStarts({ main, seed, runs }: StartsInput): StartRow[] {
  const scratch = createScratchFolder(tmpdir())
  try {
    const [session, store] = [join(scratch.path, 'session.jsonl'), join(scratch.path, 'sessions.db')]
    const talk = generateConversation({ seed, messages: MESSAGES }).messages.filter(
      ({ role, content }) => (role === 'user' || role === 'assistant') && content,
    )
    const lines = talk.map((message) =>
      JSON.stringify({ type: message.role, message: { role: message.role, content: messageText(message) } }),
    )
    writeFileSync(session, lines.join('\n'))
    processorTime(scratch.path, [main, 'lcm', 'import', session, '--store', store])
    const hook = [main, 'hook', 'claude-code']
    const told = (source: string) =>
      JSON.stringify({ hook_event_name: 'SessionStart', source, transcript_path: session })
    const imported = (name: string) => ['--input-type=module', '--eval', `import '@palimpsest/${name}'`]
    return [
      { start: 'palimpsest --help', goal: 60, args: [main, '--help'] },
      { start: 'palimpsest hook', goal: 60, args: hook, input: told('startup') },
      { start: 'palimpsest hook, behind a compaction', goal: 60, args: hook, input: told('compact') },
      { start: 'palimpsest lcm grep', goal: 100, args: [main, 'lcm', 'grep', 'error', '--store', store] },
      { start: 'palimpsest serve, until it listens', goal: 400, args: [main, 'serve', '--port', '0'] },
      ...['lcm', 'decisions', 'tokens'].map((name) => ({
        ...{ start: `import @palimpsest/${name}`, goal: 40, args: imported(name), input: '' },
      })),
    ].map(({ start, goal, args, input }) => {
      const times = Array.from({ length: runs }, () => ({
        measured: processorTime(scratch.path, args, input),
        floor: processorTime(scratch.path, ['--eval', '0']),
      }))
      const least = (of: 'measured' | 'floor') => Math.min(...times.map((time) => time[of]))
      return { start, goal, measured: least('measured'), floor: least('floor') }
    })
  } finally {
    scratch.remove()
  }
}

const above = ({ measured, floor }: StartRow): number => measured - floor

function startsSection(rows: readonly StartRow[]): Section {
  return {
    title: 'Starts',
    text: `Milliseconds of the processor above \`node -e 0\`, which was started in turn with each: the least of ${RUNS} starts. Imports keep no compiled code; commands do, from their first start on. The session that is searched and the one of the hook have ${MESSAGES} messages.`,
    table: tableOf(rows, [
      left('start', ({ start }) => start),
      right('above node', (row) => milliseconds(above(row))),
      right('goal', ({ goal }) => milliseconds(goal)),
      right('', (row) => (above(row) <= row.goal ? 'kept' : 'MISSED')),
    ]),
  }
}
