import { writeSync } from 'node:fs'
import { createChatRecord } from '../../src/chat/chat-record.ts'

/** Writes messages into the record of a chat until the process is killed, and says of each that it is kept. */
const [, , home = '', id = ''] = process.argv
const record = createChatRecord(home, { id, workspace: '/' }, { now: Date.now })
for (let turn = 0; ; turn++) {
  const call = { id: `c${turn}`, type: 'function', function: { name: 'look', arguments: '{}' } } as const
  await record.append({ role: 'user', content: `${turn} ${'x'.repeat(100_000)}` })
  writeSync(1, '.')
  await record.append({ role: 'assistant', content: null, tool_calls: [call] })
  writeSync(1, '.')
  await record.append({ role: 'tool', tool_call_id: call.id, content: 'y'.repeat(100_000) })
  writeSync(1, '.')
}
