import { equal, match, ok } from 'node:assert/strict'
import { errorText, PalimpsestError } from '@palimpsest/core'
import type { ContractCase } from '../contract-case.ts'
import type { Harness } from '../harness/create-harness.ts'

const since = '0.1.0'

/** What a user may set, and mistype. */
export const optionCases: readonly ContractCase[] = [
  {
    id: 'C71',
    title: 'refuses a misspelt option and names it',
    since,
    async run(harness) {
      const error = refusalOf(harness, { thresholdd: 0.5 })
      ok(
        error,
        'create() took the option "thresholdd"; it should throw an InvalidOptionError (does the target pass host.options on?)',
      )
      ok(PalimpsestError.isInstance(error), `create() threw an error that has no code: ${errorText(error)}`)
      equal(error.code, 'INVALID_OPTION', 'the code of the error')
      match(error.message, /thresholdd/, 'the text of the error, which should name the option')
    },
  },
]

function refusalOf(harness: Harness, options: Readonly<Record<string, unknown>>): unknown {
  try {
    harness.create({ options })
    return undefined
  } catch (error) {
    return error
  }
}
