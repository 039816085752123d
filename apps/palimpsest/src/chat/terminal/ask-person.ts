import { Text } from '@earendil-works/pi-tui'
import type { Confirmation, Consent } from '../chat-agent.ts'
import type { ChatScreen } from './chat-screen.ts'
import { safeStart } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** The shown part of a command or a diff, far above what a person reads through. */
const SHOWN = { lines: 400, characters: 60_000 }

const TITLES = {
  run: 'The agent wants to run this command:',
  write: 'The agent wants to write a file:',
  edit: 'The agent wants to edit a file:',
} as const

/** Shows what would be done, and asks. Undefined: no, and the turn is to stop. */
export async function askPerson(
  screen: ChatScreen,
  theme: ChatTheme,
  { kind, subject, diff }: Confirmation,
  signal: AbortSignal,
): Promise<Consent | undefined> {
  screen.print(TITLES[kind], 'caution')
  const { lines, more } = safeStart(diff === undefined ? subject : `${subject}\n${diff.trimEnd()}`, SHOWN)
  const shown = diff === undefined ? lines.map(theme.bold) : lines.map((line) => colorOf(line, theme)(line))
  screen.add(new Text(shown.map((line) => `  ${line}`).join('\n'), 0, 0))
  if (more !== undefined) screen.print(`  ${more}: the rest is not shown`, 'caution')
  const answer = await screen.ask(
    {
      title: kind === 'run' ? 'Run it?' : 'Allow it?',
      // A hasty Enter must choose something harmless.
      choices: [
        { value: 'no', label: 'n  No', hint: 'the agent is told so; Esc also stops the turn' },
        { value: 'yes', label: 'y  Yes', hint: 'this time' },
        { value: 'always', label: 'a  Always', hint: ALWAYS[kind] },
      ],
      keys: [
        { key: 'n', value: 'no' },
        { key: 'y', value: 'yes' },
        { key: 'a', value: 'always' },
      ],
    },
    signal,
  )
  screen.print(answer === undefined ? 'not allowed' : ANSWERS[answer as Consent], 'dim')
  return answer as Consent | undefined
}

const ALWAYS = {
  run: 'this very command, in this session',
  write: 'every file that it writes, also over another one, in this session',
  edit: 'every edit, in this session',
} as const

const ANSWERS: Readonly<Record<Consent, string>> = {
  yes: 'allowed',
  always: 'allowed, and not asked about again',
  no: 'not allowed',
}

function colorOf(line: string, { good, bad, accent, dim }: ChatTheme): (text: string) => string {
  if (line.startsWith('+')) return good
  if (line.startsWith('-')) return bad
  return line.startsWith('@@') ? accent : dim
}
