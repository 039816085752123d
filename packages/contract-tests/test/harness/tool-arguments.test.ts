import type { ToolSchema } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { schemaBreakers } from '../../src/harness/hostile-arguments.ts'
import {
  argumentsOf,
  breaksSchema,
  fittingArguments,
  namesOfType,
  switchPositions,
} from '../../src/harness/tool-arguments.ts'

const search: ToolSchema = {
  type: 'function',
  function: {
    name: 'search',
    parameters: {
      type: 'object',
      required: ['query', 'from'],
      properties: {
        query: { type: 'string' },
        from: { type: 'integer', minimum: 3 },
        mode: { enum: ['text', 'regex'] },
        whole: { type: 'boolean' },
        ids: { type: ['array', 'null'], items: { type: 'string' } },
        anything: {},
      },
    },
  },
}
const tool = argumentsOf(search)

describe('arguments made from a schema', () => {
  it('fit: the required ones, each of its type and in its range', () => {
    expect(fittingArguments(tool)).toEqual({ query: 'line', from: 3 })
    expect(fittingArguments(argumentsOf({ type: 'function', function: { name: 'status' } }))).toEqual({})
  })

  it('are there for every position of every switch', () => {
    const positions = switchPositions(tool).map(({ mode, whole }) => [mode, whole])
    expect(positions).toEqual([
      [undefined, undefined],
      ['text', undefined],
      ['regex', undefined],
      [undefined, true],
      [undefined, false],
    ])
  })

  it('are found by their type; those of no type may have any', () => {
    expect(namesOfType(tool, 'string')).toEqual(['query', 'mode', 'anything'])
    expect(namesOfType(tool, 'integer')).toEqual(['from', 'anything'])
  })

  it('break the schema by their type or by standing in no enumeration', () => {
    expect(breaksSchema(1, { type: 'number' })).toBe(false)
    expect(breaksSchema(1.5, { type: 'integer' })).toBe(true)
    expect(breaksSchema(null, { type: ['string', 'null'] })).toBe(false)
    expect(breaksSchema('fuzzy', { enum: ['text', 'regex'] })).toBe(true)
    expect(breaksSchema({}, {})).toBe(false)
  })
})

describe('arguments that a tool must refuse', () => {
  const faults = schemaBreakers(tool).map(({ fault }) => fault)

  it('are no object, lack what is required, or have a wrong type', () => {
    expect(faults).toContain('null instead of an object')
    expect(faults).toContain('no query')
    expect(faults).toContain('null as from')
    expect(faults).toContain('{"an":"object"} as query')
    expect(faults).toContain('"a text" as ids')
  })

  it('are never what the schema allows or leaves open', () => {
    expect(faults.filter((fault) => fault.endsWith(' as anything'))).toEqual([])
    expect(faults).not.toContain('["a list"] as ids')
    expect(faults).not.toContain('null as whole')
  })

  it('are not null for a tool that needs no arguments', () => {
    const status = argumentsOf({ type: 'function', function: { name: 'status' } })
    expect(schemaBreakers(status).map(({ args }) => args)).not.toContain(null)
  })
})
