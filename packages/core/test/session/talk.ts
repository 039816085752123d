import { type Message, messageText, type ToolSchema } from '../../src/index.ts'

export const system = (content: string): Message => ({ role: 'system', content })
export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): Message => ({ role: 'assistant', content })
export const tool = (name: string): ToolSchema => ({ type: 'function', function: { name } })
export const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
export const result = (id: string, content = 'done'): Message => ({ role: 'tool', tool_call_id: id, content })

/** A text of some length. */
export const long = (name: string) => `${name} `.repeat(50)
/** A conversation of so many answered turns and one open question. */
export const talk = (turns: number, prompt = 'Be exact.'): Message[] => [
  system(prompt),
  ...Array.from({ length: turns }, (_, turn) => [
    user(long(`question ${turn}`)),
    assistant(long(`answer ${turn}`)),
  ]).flat(),
  user('and now?'),
]
/** The texts of messages. What the double makes of earlier turns is the text SUMMARY. */
export const texts = (messages: readonly Message[]) => messages.map(messageText)

/** Says yes the first time only. */
export const once = () => {
  let asked = 0
  return () => asked++ === 0
}
