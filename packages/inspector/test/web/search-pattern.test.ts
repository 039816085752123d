import { expect, test } from 'vitest'
import { argumentTexts } from '../../web/src/data/call-change.ts'
import { countMatches, isFound, searchPattern } from '../../web/src/ui/use-message-search.ts'

const found = (query: string, text: string) => {
  const pattern = searchPattern(query)
  return pattern === null ? null : countMatches(text, pattern)
}

test.each([
  ['port', 'Port 8471, import, report', 3],
  ['"port"', 'Port 8471, import, report, port_1', 1],
  ['"port 8471"', 'port 8471 and port 84710', 1],
  ['"a.b"', 'a.b axb', 1],
  ['"port', 'the "port', 1],
  ['""', 'anything', null],
  [' ', 'anything', null],
])('%j finds in %j', (query, text, count) => {
  expect(found(query, text)).toBe(count)
})

test('a look does not move where the next search begins', () => {
  const pattern = searchPattern('a')
  expect(isFound('a a', pattern)).toBe(true)
  expect([...'a a'.matchAll(pattern ?? /x/g)]).toHaveLength(2)
})

test('arguments are searched as they are shown, not as JSON', () => {
  const edit = { path: 'a.ts', edits: [{ old: 'x\nport', new: '"y"' }] }
  expect(argumentTexts(JSON.stringify(edit))).toEqual(['path', 'a.ts', 'edits', 'x\nport', '"y"'])
  expect(argumentTexts('{ cut off')).toEqual(['{ cut off'])
})
