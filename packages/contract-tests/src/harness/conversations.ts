import { type AssistantMessage, freezeMessage, type Message } from '@palimpsest/core'

const SYSTEM_PROMPT = 'You are a careful engineer. Say what you did.'

export const system = (content = SYSTEM_PROMPT): Message => ({ role: 'system', content })
export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): AssistantMessage => ({ role: 'assistant', content })

export function calls(...ids: string[]): AssistantMessage {
  return {
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify({ path: `src/${id}.ts` }) },
    })),
  }
}

export function callWith(id: string, json: string): AssistantMessage {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'write_file', arguments: json } }],
  }
}

export const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })

/**
 * A conversation of an engineer and an agent, much longer than necessary: system prompt first, a user's question last.
 * Deterministic for its options; no two messages are equal.
 */
export function longConversation(
  long: { readonly turns?: number; readonly resultCharacters?: number } = {},
): Message[] {
  const { turns = 40, resultCharacters } = long
  return [BEGINNING, ...turnsFrom(1, turns, resultCharacters), END]
}

const BEGINNING = freezeMessage(system())
const END = freezeMessage(user('Thank you. What should we look at next?'))

const made = new Map<string, readonly Message[]>()

export function once(name: string, make: () => readonly Message[]): readonly Message[] {
  const known = made.get(name) ?? make().map(freezeMessage)
  made.set(name, known)
  return known
}

/**
 * The continuation of a long conversation: an answer, more turns, numbered from `firstTurn`, and another question. No
 * message equals an earlier one.
 */
export function continuation(firstTurn: number, turns = 40): Message[] {
  return [
    ...once(`from ${firstTurn}`, () => [assistant(`Let us look at part ${firstTurn}.`)]),
    ...turnsFrom(firstTurn, turns),
    ...once(`to ${firstTurn + turns}`, () => [
      user(`Thank you. What comes after part ${firstTurn + turns - 1}?`),
    ]),
  ]
}

function turnsFrom(firstTurn: number, turns: number, resultCharacters = 700): Message[] {
  return Array.from({ length: turns }, (_, index) => firstTurn + index).flatMap((turn) =>
    once(`turn ${turn}, ${resultCharacters}`, () => {
      const ids = turn % 3 === 0 ? [`call_${turn}_a`, `call_${turn}_b`] : [`call_${turn}_a`]
      return [
        user(`Question ${turn}: how does src/part-${turn}.ts count, and what is error E${1000 + turn}?`),
        calls(...ids),
        ...ids.map((id) => result(id, toolOutput(id, resultCharacters))),
        assistant(`Answer ${turn}: part ${turn} counts in cents since commit ${commit(turn)}.`),
      ]
    }),
  )
}

/**
 * An agent's work after a user message: rounds of one, two and three parallel calls, ending with results. 40 rounds are
 * about 10,000 tokens of the fixed counter.
 */
export function toolRounds(rounds = 40): Message[] {
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    once(`round ${round}`, () => {
      const ids = ['a', 'b', 'c'].slice(0, 1 + (round % 3)).map((letter) => `run_${round}_${letter}`)
      return [calls(...ids), ...ids.map((id) => result(id, toolOutput(id, 300)))]
    }),
  )
}

export const REMINDER = freezeMessage(
  user('<system-reminder>\nThe file was changed on disk. Do not mention this.\n</system-reminder>'),
)

function toolOutput(id: string, characters: number): string {
  let text = `contents of ${id}\n`
  for (let line = 1; text.length < characters; line++) text += `${id} line ${line}: value = ${line * 7919}\n`
  return text.slice(0, characters)
}

function commit(turn: number): string {
  return ((turn * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')
}

/**
 * A long conversation whose questions, calls, results and answers contain a word that no other one has. Ids, roles and
 * the start of texts are the same for every word, so an engine that confuses conversations is found.
 */
export function conversationAbout(word: string): Message[] {
  const about = (text: string) => text.replaceAll('call_', `${word}_`).replaceAll('src/part', `src/${word}`)
  return [
    ...once(`about ${word}`, () =>
      longConversation().map((message, at): Message => {
        const { content } = message
        const text = typeof content === 'string' && at > 0 ? `${SAME_BEGINNING}${about(content)}` : content
        const tool_calls =
          message.role === 'assistant' &&
          message.tool_calls?.map((call) =>
            call.type === 'function'
              ? { ...call, function: { ...call.function, arguments: about(call.function.arguments) } }
              : call,
          )
        return { ...message, id: `talk-${at}`, content: text, ...(tool_calls && { tool_calls }) } as Message
      }),
    ),
  ]
}

const SAME_BEGINNING = 'As we agreed on Monday when all of us looked at the plan: '

export function withPlantedTurn(
  messages: readonly Message[],
  place: number,
  turn: readonly Message[],
): readonly Message[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const at = users[place % Math.max(1, users.length)] ?? 0
  return [...messages.slice(0, at), ...turn, ...messages.slice(at)]
}
