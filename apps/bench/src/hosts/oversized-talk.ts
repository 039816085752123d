import type { Message, TokenCounter } from '@palimpsest/core'

/** The size of the result, as a multiple of the budget. */
const TIMES = 3
const TURNS_BEHIND = 5

/** A conversation in which a tool returns a single result of three times the budget, and five turns behind it. */
export function oversizedTalk(budget: number, tokens: TokenCounter): Message[] {
  const lines: string[] = []
  for (let sum = 0; sum < TIMES * budget; ) {
    const line = `line ${lines.length}: src/module-${lines.length % 97}.ts exports handler${lines.length}`
    sum += tokens.countText(line)
    lines.push(line)
  }
  const call = { id: 'large', type: 'function', function: { name: 'read_log', arguments: '{}' } } as const
  const talk: Message[] = [
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'user', content: 'Read the log of the build.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
    { role: 'assistant', content: 'The build exports many handlers.' },
  ]
  for (let turn = 1; turn <= TURNS_BEHIND; turn++)
    talk.push(
      { role: 'user', content: `Which module is number ${turn}?` },
      { role: 'assistant', content: `Module ${turn} is src/module-${turn}.ts.` },
    )
  return talk
}
