import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { InvalidOptionError } from '../../src/index.ts'
import { readToolArguments, toolSchema } from '../../src/options/tool-arguments.ts'

const schema = z.object({
  query: z.string().describe('What to look for.'),
  ignore_case: z.boolean().describe('Default: true.').optional(),
  depth: z.int().optional(),
})

describe('arguments of a tool', () => {
  it('are described for a model', () => {
    expect(toolSchema('find', 'Finds.', schema)).toEqual({
      type: 'function',
      function: {
        name: 'find',
        description: 'Finds.',
        parameters: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'What to look for.' },
            ignore_case: { type: 'boolean', description: 'Default: true.' },
            depth: { type: 'integer' },
          },
          required: ['query'],
        },
      },
    })
  })

  it.each([
    [['a'], 'the arguments must be one JSON object, such as {}'],
    [{}, '"query" is wrong (expected string, received undefined); it takes: What to look for.'],
    [{ query: 'a', ignore_case: 1 }, '(expected boolean, received number); it takes: Default: true.'],
    [{ query: 'a', depth: 'x' }, /"depth" is wrong \([^)]*\)$/],
    [{ ignoreCase: true }, 'there is no argument "ignoreCase" (did you mean "ignore_case"?)'],
    [{ ['__proto__']: 1 }, 'there is no argument "__proto__"; there are: query, ignore_case, depth'],
    [{ ['x\u0000\ud800'.padEnd(500, 'y')]: 1 }, 'there is no argument "x \ufffdyy'],
  ])('that are wrong are told with what is right: %j', (args, message) => {
    let error: unknown
    try {
      readToolArguments(schema, args)
    } catch (caught) {
      error = caught
    }
    expect(InvalidOptionError.isInstance(error)).toBe(true)
    expect(error).toHaveProperty(
      'message',
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    )
    expect(error instanceof Error ? error.message.length : 0).toBeLessThan(300)
  })
})
