import { equal } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { failureText } from '../src/run-suite.ts'

/** An error as it comes out of a file. */
function thrownAt(...frames: string[]): Error {
  const error = new Error('no db')
  error.stack = `Error: no db\n${frames.map((frame) => `    at ${frame}`).join('\n')}`
  return error
}

const ENGINE = 'compress (file:///home/me/engine/dist/index.js:20:58)'

describe('failureText', () => {
  it('names the first place that is the author’s', () => {
    const suite = 'run (file:///x/node_modules/@palimpsest/contract-tests/dist/chunk-A.js:1:2)'
    const core = 'fill (/x/node_modules/@palimpsest/core/dist/index.js:3:4)'
    const error = thrownAt('readFile (node:fs:1:1)', core, ENGINE, suite)
    expect(failureText(error)).toBe('no db (at file:///home/me/engine/dist/index.js:20:58)')
  })

  it('looks into what a property wraps', () => {
    const wrapped = new Error('value 3 of 100: no db', { cause: thrownAt(ENGINE) })
    wrapped.stack = 'Error: value 3'
    expect(failureText(wrapped)).toBe('value 3 of 100: no db (at file:///home/me/engine/dist/index.js:20:58)')
  })

  it('names no place for an assertion of the suite, nor for what is no error', () => {
    const assertion = (() => {
      try {
        return equal(1, 2, 'the count')
      } catch (error) {
        return error
      }
    })()
    expect(failureText(assertion)).toMatch(/^the count\s+1 !== 2\s+$/)
    expect(failureText('just text')).toBe('just text')
  })
})
