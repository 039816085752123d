import type { AssistantMessage, Message } from '@palimpsest/core'

/** The system prompt of the conversations of this suite. */
export const SYSTEM_PROMPT = 'You are a careful engineer. Say what you did.'

export const system = (content = SYSTEM_PROMPT): Message => ({ role: 'system', content })
export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): AssistantMessage => ({ role: 'assistant', content })

/** An assistant message with one call for each id. */
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

export const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })

export interface LongConversationOptions {
  /** Turns of a question, one or two tool rounds and an answer. Default 40: about 13,000 tokens of the fixed counter. */
  readonly turns?: number
  /** Length of each tool result. Default 700 characters. */
  readonly resultCharacters?: number
}

/**
 * A conversation of an engineer and an agent that is much longer than anyone needs: system prompt first, a question
 * of the user last. The same for the same options, and no two messages in it are equal.
 */
export function longConversation({
  turns = 40,
  resultCharacters = 700,
}: LongConversationOptions = {}): Message[] {
  const messages: Message[] = [system()]
  for (let turn = 1; turn <= turns; turn++) {
    messages.push(
      user(`Question ${turn}: how does src/part-${turn}.ts count, and what is error E${1000 + turn}?`),
    )
    const ids = turn % 3 === 0 ? [`call_${turn}_a`, `call_${turn}_b`] : [`call_${turn}_a`]
    messages.push(calls(...ids))
    for (const id of ids) messages.push(result(id, toolOutput(id, resultCharacters)))
    messages.push(assistant(`Answer ${turn}: part ${turn} counts in cents since commit ${commit(turn)}.`))
  }
  messages.push(user('Thank you. What should we look at next?'))
  return messages
}

/** Lines as a tool prints them, each different from all others. */
function toolOutput(id: string, characters: number): string {
  let text = `contents of ${id}\n`
  for (let line = 1; text.length < characters; line++) text += `${id} line ${line}: value = ${line * 7919}\n`
  return text.slice(0, characters)
}

function commit(turn: number): string {
  return ((turn * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')
}
