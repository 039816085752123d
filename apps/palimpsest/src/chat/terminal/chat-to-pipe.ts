import { errorText } from '@palimpsest/core'
import type { ChatAgent, ChatEvent, TurnEnd } from '../chat-agent.ts'
import { describeCompaction, ENDS, failureLine } from '../texts.ts'
import { safeLine, safeText } from './safe-text.ts'

/** Exit codes of a chat without a terminal. */
const EXIT_ANSWERED = 0
const EXIT_FAILED = 1
/** Characters of what a failed tool said. */
const FAULT_LENGTH = 300

export interface PipeChatInput {
  readonly agent: ChatAgent
  readonly question: string
  /** One JSON object a line instead of texts. */
  readonly json: boolean
  /** About the choice of the model. */
  readonly notice: string | undefined
  readonly signal: AbortSignal
  /** Gets the answer, or the JSON lines. */
  out(text: string): void
  /** Whether `out` is a person's terminal. */
  readonly isShown: boolean
  /** Gets one line, without its end, for what else happens. */
  log(line: string): void
}

/** Answers one question without a person to ask. Returns the exit code: 0 answered, 1 stopped or failed. */
export async function chatToPipe(input: PipeChatInput): Promise<number> {
  const { agent, question, json, signal } = input
  const print = json ? printObjects(input) : printTexts(input)
  print.start()
  try {
    const end = await agent.say(question, { signal, on: print.event })
    print.end(end)
    return end.reason === 'answered' ? EXIT_ANSWERED : EXIT_FAILED
  } catch (error) {
    print.fail(error)
    return EXIT_FAILED
  }
}

interface Print {
  start(): void
  event(event: ChatEvent): void
  end(end: TurnEnd): void
  fail(error: unknown): void
}

function printTexts({ agent, notice, signal, out, isShown, log }: PipeChatInput): Print {
  const answer = createAnswerStream(out, isShown)
  const { facts } = agent
  return {
    start() {
      log(`palimpsest: ${safeLine(facts.model)}, engine ${facts.engine}, session ${agent.id}`)
      const notes = [...(notice === undefined ? [] : [notice]), ...facts.warnings]
      for (const line of [facts.engineLine, facts.summaries, facts.caching, ...notes]) log(safeLine(line))
    },
    event(event) {
      if (event.type === 'text') return answer.write(event.text)
      // The next text stands behind a call, on a line of its own.
      if (event.type === 'tool-start') answer.end()
      const line = lineOf(event)
      if (line !== undefined) log(safeLine(line))
    },
    end({ reason, text }) {
      // A model that does not stream says everything at the end.
      if (answer.isEmpty) answer.write(text)
      answer.end()
      if (reason !== 'answered') log(`palimpsest: ${ENDS[reason]}`)
    },
    fail(error) {
      answer.end()
      log(`palimpsest: ${signal.aborted ? ENDS.stopped : safeLine(failureLine(error))}`)
    },
  }
}

function lineOf(event: Exclude<ChatEvent, { type: 'text' }>): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return `* ${event.name} ${event.summary}`
    case 'tool-end':
      return event.ok ? undefined : `* ${event.name} failed: ${event.result.slice(0, FAULT_LENGTH)}`
    case 'compaction':
      return describeCompaction(event.result)
    case 'warning':
      return event.warning.message
    case 'usage':
      return undefined
  }
}

/** `start`, the events, and `end` or `error`. */
function printObjects({ agent, notice, out }: PipeChatInput): Print {
  const session = agent.id
  const print = (object: object) => out(`${jsonLine(object)}\n`)
  return {
    start: () => print({ type: 'start', session, ...agent.facts, notice: notice ?? null }),
    event(event) {
      if (event.type !== 'compaction') return print(event)
      const { messages, ...result } = event.result
      print({ ...event, result: { ...result, messages: messages.length } })
    },
    end: (end) => print({ type: 'end', session, ...end, costs: agent.costs() }),
    fail: (error) => print({ type: 'error', session, message: errorText(error) }),
  }
}

/** JSON leaves some control characters as they are, which a terminal would obey. */
function jsonLine(object: object): string {
  return JSON.stringify(object).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A text that is written in pieces. */
interface AnswerStream {
  write(piece: string): void
  /** Ends the last line, if one was begun. */
  end(): void
  /** Whether anything was written. */
  readonly isEmpty: boolean
}

/** The first half of a character that takes two units. */
const FIRST_HALF = /[\ud800-\udbff]$/

/**
 * Writes pieces of a text, never half a character. `isShown`: a person's terminal gets it, which must not obey what a
 * model says; a file or another program gets every character as it is.
 */
function createAnswerStream(out: (text: string) => void, isShown: boolean): AnswerStream {
  let held = ''
  let last = ''
  return {
    write(piece) {
      const text = held + piece
      held = FIRST_HALF.exec(text)?.[0] ?? ''
      const whole = text.slice(0, text.length - held.length)
      if (whole === '') return
      last = whole
      out(isShown ? safeText(whole) : whole)
    },
    end() {
      if (last === '' || last.endsWith('\n')) return
      out('\n')
      last = '\n'
    },
    get isEmpty() {
      return last === ''
    },
  }
}
