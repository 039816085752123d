import { expect, test } from 'vitest'
import { createEventWriter } from '../../src/answer/answer.ts'

test('events that come at once go out at once, and the others when they come', async () => {
  const { body, out } = createEventWriter(() => {})
  const reader = body.getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  out.data('one', 'first')
  await Promise.resolve()
  out.data('two')
  expect(await next()).toBe('event: first\ndata: one\n\ndata: two\n\n')
  out.comment(' alive')
  expect(await next()).toBe(': alive\n\n')
  out.data('last')
  out.end()
  expect(await next()).toBe('data: last\n\n')
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})
