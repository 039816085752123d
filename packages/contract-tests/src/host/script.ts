import { type AssistantMessage, type FunctionToolCall, type Message, messageText } from '@palimpsest/core'

/** The tool of the suite's engine, and the application's. */
export const ENGINE_TOOL = 'suite_recall'
export const HOST_TOOL = 'look_up'
/** A round that the model never answers. */
export const STALL = 'stall'

/** One question and everything that follows from it: the model plays a script that the question itself holds. */
export interface ScriptedTurn {
  /** The name of the conversation: one lower-case word. */
  readonly talk: string
  /** Counts the questions of the conversation, from 1. */
  readonly turn: number
  /** Rounds of calls, such as `look_up, look_up+suite_recall`: two rounds, the second with two calls. Empty for none. */
  readonly plan: string
}

/** Where a request stands in a conversation: behind so many rounds of this turn. */
export interface ScriptPlace extends ScriptedTurn {
  readonly round: number
}

const DIRECTIVE = /\[(\w+) (\d+): ([\w+, ]*)\]/g
const FILLER = 'the ledger counts in cents and rounds half up '

const filler = (characters: number) => FILLER.repeat(Math.ceil(characters / FILLER.length)).trim()

/** The text of a question. Plain ASCII without quotes, so that a JSON text holds it as it is. */
export function questionText({ talk, turn, plan }: ScriptedTurn): string {
  return `Question ${turn} of ${talk}: ${filler(400)}? [${talk} ${turn}: ${plan}]`
}

/** The model's last word on a question. */
export function answerText({ talk, turn }: ScriptedTurn): string {
  return `Answer ${turn} of ${talk}: ${filler(200)}.`
}

/** The result of the application's tool: a thousand tokens, which soon fill a window. */
export function foundText(subject: string): string {
  return `Found for ${subject}: ${filler(4_000)}.`
}

/** The result of the engine's tool. */
export function recalledText(subject: string): string {
  return JSON.stringify(`Recalled for ${subject}.`)
}

/** The calls of each round. */
function roundsOf({ talk, turn, plan }: ScriptedTurn): FunctionToolCall[][] {
  const rounds = plan.split(',').map((names) => names.trim())
  return rounds
    .filter((names) => names !== '')
    .map((names, round) =>
      names.split('+').map((name, index) => ({
        // Letters and digits alone, as the strictest services want them: hosts rewrite what others have.
        id: `call${talk}${turn}x${round}x${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify({ subject: `${talk} ${turn}.${round}.${index}` }) },
      })),
    )
}

/** The subject of a call of the script. */
export function subjectOf(call: FunctionToolCall): string {
  return (JSON.parse(call.function.arguments) as { readonly subject: string }).subject
}

/** Everything that turns bring into the conversation, in order: what a host's history must hold. */
export function transcriptOf(turns: readonly ScriptedTurn[]): Message[] {
  return turns.flatMap((turn) => [
    { role: 'user' as const, content: questionText(turn) },
    ...roundsOf(turn).flatMap(roundMessages),
    { role: 'assistant' as const, content: answerText(turn) },
  ])
}

function roundMessages(calls: FunctionToolCall[]): Message[] {
  return [
    { role: 'assistant', content: null, tool_calls: calls },
    ...calls.map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: (call.function.name === ENGINE_TOOL ? recalledText : foundText)(subjectOf(call)),
    })),
  ]
}

/** The beginning of that transcript which a request at this place is made of. */
export function transcriptUpTo(turns: readonly ScriptedTurn[], { turn, round }: ScriptPlace): Message[] {
  const current = turns.find((one) => one.turn === turn)
  if (current === undefined) throw new Error(`no question has the number ${turn}`)
  const before = transcriptOf(turns.filter((one) => one.turn < turn))
  const rounds = roundsOf(current).slice(0, round).flatMap(roundMessages)
  return [...before, { role: 'user', content: questionText(current) }, ...rounds]
}

/** The question that a message holds, whatever a host wrote around it. The last one, when a question went unanswered before it. */
export function questionOf(message: Message | undefined): ScriptedTurn | undefined {
  if (message?.role !== 'user') return undefined
  const [, talk, turn, plan] = [...messageText(message).matchAll(DIRECTIVE)].at(-1) ?? []
  if (talk === undefined || plan === undefined) return undefined
  return { talk, turn: Number(turn), plan }
}

/** Where a request stands, by its messages alone. Undefined when it holds no question of the suite. */
export function placeOf(messages: readonly Message[]): ScriptPlace | undefined {
  const at = messages.findLastIndex((message) => questionOf(message) !== undefined)
  const question = questionOf(messages[at])
  if (question === undefined) return undefined
  return { ...question, round: messages.slice(at).filter(({ role }) => role === 'assistant').length }
}

/** An answer with what the model thought before it, in the field that most services use. */
export interface ScriptedAnswer extends AssistantMessage {
  readonly content: string | null
  readonly reasoning: string
}

/** Begins each thought, and nothing else. */
export const THOUGHT = 'A thought about'

/** The model's answer to a request. `stall` when it never comes. */
export function scriptedAnswer(messages: readonly Message[]): ScriptedAnswer | typeof STALL {
  const role = 'assistant'
  const place = placeOf(messages)
  if (place === undefined)
    return { role, content: 'There is no question of the suite.', reasoning: `${THOUGHT} nothing.` }
  const reasoning = `${THOUGHT} question ${place.turn} of ${place.talk}, round ${place.round}.`
  const calls = roundsOf(place)[place.round]
  if (calls === undefined) return { role, content: answerText(place), reasoning }
  if (calls.some((call) => call.function.name === STALL)) return STALL
  return { role, content: null, reasoning, tool_calls: calls }
}
