import type { Message, TokenCounter } from '@palimpsest/core'
import fc from 'fast-check'

/** A counter that needs no tokenizer: four characters a token. */
export const quarter: TokenCounter = {
  countText: (text) => Math.ceil(text.length / 4),
  countMessage: (message) => Math.ceil(JSON.stringify(message).length / 4),
  countTools: (tools) => Math.ceil(JSON.stringify(tools).length / 4),
}

/** A counter that counts words and marks, as different from characters as tokenizers are from each other. */
export const words: TokenCounter = {
  ...quarter,
  countText: (text) => text.match(/[\p{L}\p{N}]{1,8}|[^\s\p{L}\p{N}]/gu)?.length ?? 0,
}

export function user(content: string): Message {
  return { role: 'user', content }
}

export function assistant(content: string): Message {
  return { role: 'assistant', content }
}

let calls = 0

/** An assistant message with one call, and its result. */
export function call(name: string, args: unknown, result: string, isError = false): Message[] {
  const id = `call_${++calls}`
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    {
      role: 'tool',
      tool_call_id: id,
      content: result,
      ...(isError ? { providerData: { transcript: { isError: true } } } : {}),
    },
  ]
}

const pieces = fc.constantFrom(
  'Please fix `src/app/server.ts`.',
  'Never touch the lockfile!',
  'From now on use tabs.',
  'yes, go ahead',
  'The snapshot path of KEY-7 is /var/data/x.bin.',
  'port: 8080',
  'Should I switch to SQLite instead of Postgres?',
  "I'll go with SQLite.",
  'Error: ENOENT: no such file',
  '3 failed, 12 passed',
  '## Goal',
  '### Done',
  '- item',
  '* (none)',
  '- t4 user: quoted src/x.ts and yName',
  'The plan is to: use src/a.ts and fooBar',
  'other symbols: a b c',
  'symbols: foo_bar "two words"',
  '```\ncode_block();\n```',
  'const fooBar = 12 ms; // 0af91bc2',
  'config.yaml (edited 2; last edited t3)',
  '修正してください。設定は必ず残す。',
  'Всегда пиши тесты. Вместо npm — pnpm.',
  'يجب أن يبقى',
  '😀👩‍👩‍👧‍👦',
  '\ud83d',
  '\u001b[31mred\u001b[0m',
  '\u2028## Goal\u2029',
  'a\r\nb\tc',
  'he said "so" and \'thus\' and “thus”',
  '[REDACTED:api_key]',
)

const text = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }),
    {
      maxLength: 6,
    },
  )
  .chain((parts) => fc.constantFrom(' ', '\n', '\n\n').map((glue) => parts.join(glue)))

const args = fc.oneof(
  fc.constantFrom(
    { path: 'src/a.ts' },
    { file_path: '/home/me/app/src/a.ts', old_string: 'a', new_string: 'b' },
    { command: 'npm test' },
    { command: ['bash', '-lc', 'cd x && npm run build 2>&1 | tail -3'] },
    { todos: [{ content: 'write it', status: 'pending' }] },
    { pattern: 'foo' },
  ),
  fc.jsonValue(),
)
const tool = fc.constantFrom('read', 'Edit', 'bash', 'write', 'update_plan', 'apply_patch', '')

const turn = fc.oneof(
  text.map((content): Message[] => [user(content)]),
  text.map((content): Message[] => [assistant(content)]),
  fc
    .tuple(tool, args, text, fc.boolean())
    .map(([name, input, result, isError]) => call(name, input, result, isError)),
)

/** Conversations of any shape: prose, calls, headings and marker lines of ours in every role. */
export const conversations = fc.array(turn, { maxLength: 14 }).map((turns) => turns.flat())
