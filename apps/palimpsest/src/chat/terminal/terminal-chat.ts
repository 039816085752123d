import { patiently } from '../agent/patiently.ts'
import type { ChatStatus, Confirm, TurnEnd, TurnOptions } from '../chat-agent.ts'
import type { ChatCommand, CommandHost } from '../commands/chat-command.ts'
import { CHAT_COMMANDS } from '../commands/chat-commands.ts'
import { readInput } from '../commands/read-input.ts'
import { askPerson } from './ask-person.ts'
import { createChatScreen } from './chat-screen.ts'
import { createCurrentWork } from './current-work.ts'
import { failureLine } from './failure-line.ts'
import { createInputQueue } from './input-queue.ts'
import { introduce } from './introduction.ts'
import type { TerminalChatInput } from './terminal-chat-input.ts'
import { ENDS } from './turn-ends.ts'
import { createTurnView } from './turn-view.ts'

/** Characters of a text that waits, which is cut to the line. */
const NOTE_LENGTH = 200
const STILL_STOPPING = 'Still stopping: Ctrl-C again leaves.'

export interface TerminalChatEnd {
  readonly id: string
  /** Whether there is something to go on with. */
  readonly isResumable: boolean
}

/**
 * A conversation in a terminal, until the person leaves or the process is told to end.
 *
 * @throws UsageError when the session cannot be opened; the terminal is as it was then.
 */
export async function chatInTerminal(input: TerminalChatInput): Promise<TerminalChatEnd> {
  const { theme, services, notice, patience } = input
  let agent = await input.open(confirm, input.resume)
  let status: ChatStatus | undefined
  /** Presses of Ctrl-C at an empty prompt, or while something does not stop. */
  let presses = 0
  let questions: Promise<unknown> = Promise.resolve()
  /** Settled when the agent may be asked for something else than its first status. */
  let ready = Promise.resolve()
  const left = Promise.withResolvers<void>()
  /** Why the session could not be closed. */
  const faults: unknown[] = []

  const screen = createChatScreen({
    terminal: input.terminal,
    theme,
    commands: CHAT_COMMANDS,
    workspace: agent.facts.workspace,
    now: input.now,
    onSubmit: (text) => (isQuit(text) ? leave() : queue.add(text)),
    onInterrupt: interrupt,
    onEscape: stop,
    onEnd: () => (work.state === 'idle' ? leave() : screen.note(['Something runs: Ctrl-C stops it.'])),
    onKey() {
      if (presses > 0) showWaiting(queue.waiting)
      presses = 0
    },
  })
  const work = createCurrentWork((what) => {
    presses = 0
    screen.busy(what)
  })
  const queue = createInputQueue({
    handle: (text) => ready.then(() => handle(text)).finally(refresh),
    onChange: showWaiting,
    giveBack: (texts) => screen.draft(texts.join('\n')),
  })

  input.onStart?.(screen)
  input.signal.addEventListener('abort', leave)
  try {
    screen.start()
    introduce(screen, agent, notice)
    ready = refresh()
    for (const text of input.first) queue.add(text)
    if (input.signal.aborted) leave()
    await left.promise
    work.stop()
    await patiently(queue.close(), patience)
    await patiently(
      agent.close().catch((error: unknown) => {
        faults.push(error)
      }),
      patience,
    )
  } finally {
    screen.stop()
    input.signal.removeEventListener('abort', leave)
  }
  if (faults.length > 0) throw faults[0]
  return { id: agent.id, isResumable: agent.history.length > 0 }

  function showWaiting(texts: readonly string[]): void {
    screen.note(texts.map((text) => `waits: ${text.slice(0, NOTE_LENGTH)}`))
  }

  /** False when it failed or was stopped. */
  async function handle(text: string): Promise<boolean> {
    const meant = readInput(text, CHAT_COMMANDS, services.exists)
    screen.said(text)
    if (meant.kind === 'message') return say(text)
    if (meant.kind === 'command') return runCommand(meant.command, meant.argument)
    const hint = meant.closest === undefined ? '/help lists them' : `did you mean /${meant.closest}?`
    screen.print(`There is no command /${meant.name}: ${hint}`, 'bad')
    return true
  }

  /** A text that was refused, and is in no record, goes back to where it was written. */
  async function say(text: string): Promise<boolean> {
    const { length } = agent.history
    const isDone = await runTurn((options) => agent.say(text, options))
    if (!isDone && agent.history.length === length) screen.draft(text)
    return isDone
  }

  function runTurn(begin: (options: TurnOptions) => Promise<TurnEnd>): Promise<boolean> {
    return work.run('working, Esc stops', async (signal) => {
      const view = createTurnView(screen, theme, (promptTokens) => {
        if (status !== undefined) screen.footer.update({ ...status, promptTokens }, agent.costs())
      })
      try {
        const end = await begin({ signal, on: view.on })
        view.end(end)
        return end.reason === 'answered' || end.reason === 'cut-off'
      } catch (error) {
        const hasQuestion = ['user', 'tool'].includes(agent.history.at(-1)?.role ?? '')
        view.fail(error, { isStopped: signal.aborted, hasQuestion })
        return false
      }
    })
  }

  function runCommand(command: ChatCommand, argument: string): Promise<boolean> {
    return work.run(`/${command.name}`, async (signal) => {
      let isDone = true
      try {
        await command.run(
          argument,
          hostOf(signal, async (begin) => {
            isDone = await runTurn(begin)
          }),
        )
        return isDone
      } catch (error) {
        if (signal.aborted) screen.print(ENDS.stopped, 'dim')
        else screen.print(failureLine(error), 'bad')
        return false
      }
    })
  }

  function hostOf(signal: AbortSignal, turn: CommandHost['turn']): CommandHost {
    return {
      ...services,
      get agent() {
        return agent
      },
      commands: CHAT_COMMANDS,
      signal,
      turn,
      print: (text) => screen.print(text),
      choose: (title, choices, current) => screen.ask({ title, choices, current }, signal),
      draft: screen.draft,
      introduce: () => introduce(screen, agent),
      resume,
      leave,
    }
  }

  async function resume(id: string): Promise<void> {
    if (id === agent.id) return screen.print('this is the session that is open')
    const { id: before, history } = agent
    // The stores of a session belong to one agent at a time.
    await agent.close()
    try {
      agent = await input.open(confirm, id)
    } catch (error) {
      agent = await input.open(confirm, history.length === 0 ? undefined : before)
      throw error
    }
    introduce(screen, agent)
  }

  /** One question after the other. */
  function confirm(...[question, signal]: Parameters<Confirm>): ReturnType<Confirm> {
    const answer = questions.then(async () => {
      const consent = await askPerson(screen, theme, question, signal)
      if (consent === undefined) stop()
      return consent ?? 'no'
    })
    questions = answer.catch(() => {})
    return answer
  }

  function stop(): void {
    if (work.state === 'running') work.stop()
  }

  function interrupt(text: string): void {
    if (work.state === 'running') work.stop()
    else if (work.state === 'idle' && text !== '') screen.discard()
    else if (presses > 0) leave()
    else {
      presses = 1
      screen.note([work.state === 'idle' ? 'Press Ctrl-C again to leave.' : STILL_STOPPING])
    }
  }

  function leave(): void {
    left.resolve()
  }

  /** Brings the footer up to date. */
  async function refresh(): Promise<void> {
    try {
      status = await agent.status()
      screen.footer.update(status, agent.costs())
      screen.redraw()
    } catch (error) {
      screen.print(failureLine(error), 'bad')
    }
  }
}

/** Leaving does not wait for what runs. */
function isQuit(text: string): boolean {
  return text.trim().toLowerCase() === '/quit'
}
