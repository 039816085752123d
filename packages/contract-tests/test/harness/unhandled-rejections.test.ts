import { expect, it } from 'vitest'
import { unhandledRejections } from '../../src/harness/unhandled-rejections.ts'

it('catches unhandled rejections while a task runs, and keeps them from other listeners', async () => {
  const others = process.listeners('unhandledRejection')
  const reasons = await unhandledRejections(async () => {
    void Promise.reject('forgotten')
  })
  expect(reasons).toEqual(['forgotten'])
  expect(process.listeners('unhandledRejection')).toEqual(others)
})

it('gives the listeners back when what runs fails', async () => {
  const others = process.listeners('unhandledRejection')
  await expect(unhandledRejections(() => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(process.listeners('unhandledRejection')).toEqual(others)
})
