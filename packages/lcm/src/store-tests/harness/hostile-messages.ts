import type { Message } from '@palimpsest/core'
import { HOSTILE_TEXTS } from '@palimpsest/sqlite-kit/store-suite'

/** Messages that a careless store damages, by what is unusual about them. */
export function hostileMessages(): Readonly<Record<string, Message>> {
  const user = (content: unknown) => ({ role: 'user', content }) as Message
  const call = (args: string, name = 'read') =>
    ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: args } }],
    }) as Message
  return {
    ...Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([what, text]) => [what, user(text)])),
    'no content at all': { role: 'user' } as unknown as Message,
    'content that is null': user(null),
    'a key named __proto__': JSON.parse('{"role":"user","content":"x","__proto__":{"polluted":true}}'),
    'a nested key named __proto__': JSON.parse(
      '{"role":"user","content":[{"type":"text","text":"x","__proto__":1}]}',
    ),
    'keys named like members of objects': JSON.parse(
      '{"role":"user","content":"x","constructor":1,"toString":2,"hasOwnProperty":null,"length":-1}',
    ),
    'keys in another order': { content: 'first', role: 'user' },
    'keys that are numbers or empty': { role: 'user', content: 'x', 7: 'seven', '': 'empty' } as Message,
    'numbers at their limits': {
      ...{ role: 'user', content: 'x', a: -0, b: 1e308, c: 5e-324, d: 0.1 + 0.2, e: 2 ** 53 + 2, f: 1e21 },
    } as Message,
    'values that JSON leaves out': {
      role: 'user',
      content: 'x',
      gone: undefined,
      nan: Number.NaN,
    } as Message,
    'parts of all kinds': user([
      { type: 'text', text: 'one' },
      { type: 'text', text: '' },
      { type: 'text', text: 'two\nlines' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'unheard_of', payload: { deep: [1, [2, [3, null]]] } },
    ]),
    'parts that are no parts': user([null, 7, 'text', [], {}, { type: 'text' }, { type: 'text', text: 5 }]),
    'content that is an object': user({ text: 'x' }),
    'a call with spaced arguments': call('{ "path" : "a.ts",\n\t"deep": {"n": 1.50} }'),
    'a call with escaped arguments': call('{"text":"line\\nline \\u0041 \\ud83d \\"quoted\\" \\/"}'),
    'a call with arguments that do not parse': call('{"path": "a.t'),
    'a call without arguments': call(''),
    'a call with a NUL character in its name': call('{}', 'a\0b'),
    'calls that are no calls': {
      role: 'assistant',
      content: 'x',
      tool_calls: [null, {}, 5],
    } as unknown as Message,
    'the result of a call': { role: 'tool', tool_call_id: 'call_1', content: 'done\n' },
    'unknown members': { role: 'user', content: 'x', providerData: { sig: 'abc==' }, weight: 0 } as Message,
    'an id of its own': { role: 'user', content: 'x', id: 'host-1' },
    'an unknown role': { role: 'Narrator\0\ud83d', content: 'x' } as unknown as Message,
  }
}
