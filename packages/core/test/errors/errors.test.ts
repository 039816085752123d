import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { InvalidEngineError } from '../../src/errors/errors.ts'
import {
  ContextOverflowError,
  errorText,
  InvalidMessagesError,
  InvalidOptionError,
  ModelError,
  markErrors,
  PalimpsestError,
} from '../../src/index.ts'

const cause = new Error('cause')

describe('errors', () => {
  it.each([
    [new ContextOverflowError(10, 5, 'm', { cause }), 'CONTEXT_OVERFLOW', 'ContextOverflowError'],
    [new InvalidEngineError('m', { cause }), 'INVALID_ENGINE', 'InvalidEngineError'],
    [new InvalidMessagesError('m', { cause }), 'INVALID_MESSAGES', 'InvalidMessagesError'],
    [new InvalidOptionError('a.b', 'm', { cause }), 'INVALID_OPTION', 'InvalidOptionError'],
    [new ModelError('context-overflow', 'm', { cause }), 'MODEL_CONTEXT_OVERFLOW', 'ModelError'],
  ])('carry a code: %s', (error, code, name) => {
    expect(error).toBeInstanceOf(PalimpsestError)
    expect(PalimpsestError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ code, name })
    expect(error.message).not.toBe('')
    if (error.cause !== undefined) expect(error.cause).toBe(cause)
  })

  it('are recognised from another installed copy, by their mark', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-copy-'))
    await cp(fileURLToPath(new URL('../../src/errors', import.meta.url)), folder, { recursive: true })
    const copy = await import(pathToFileURL(join(folder, 'errors.ts')).href)
    const foreign = new copy.ModelError('quota', 'm')
    expect(foreign).not.toBeInstanceOf(ModelError)
    expect([PalimpsestError, ModelError, InvalidEngineError].map((type) => type.isInstance(foreign))).toEqual(
      [true, true, false],
    )
    expect([new Error('x'), null, undefined, 'x', {}].some(PalimpsestError.isInstance)).toBe(false)
  })
})

it.each([
  [new Error('said'), 'said'],
  ['a text', 'a text'],
  [undefined, 'undefined was thrown'],
  [null, 'null was thrown'],
  [Object.create(null), 'something that cannot be shown was thrown'],
])('errorText of %o', (error, text) => {
  expect(errorText(error)).toBe(text)
})

it('has its own name where a bundler renamed its class, as it does with one that refers to itself', () => {
  const BundledError = class _BundledError extends PalimpsestError {
    static override readonly isInstance = markErrors<_BundledError>(_BundledError, 'test.bundled')
  }
  const error = new BundledError('TEST', 'a text')
  expect([error.name, BundledError.name]).toEqual(['BundledError', 'BundledError'])
  expect(inspect(error)).toMatch(/^BundledError: a text/)
})
