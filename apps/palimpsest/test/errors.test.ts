import * as core from '@palimpsest/core'
import * as decisions from '@palimpsest/decisions'
import * as lcm from '@palimpsest/lcm'
import * as caching from '@palimpsest/prompt-caching'
import * as transcripts from '@palimpsest/transcripts'
import { expect, it } from 'vitest'
import { TurnConflictError } from '../src/serve/store/turn-conflict-error.ts'

const classes = [
  TurnConflictError,
  ...[core, caching, decisions, lcm, transcripts].flatMap((exported) =>
    Object.values(exported).filter(isErrorClass),
  ),
]

it.each(classes.map((type) => [type.name, type] as const))(
  'an error is recognised by its own class and those above it: %s',
  (_, type) => {
    expect(classes.length).toBeGreaterThanOrEqual(17)
    const error = Object.create(type.prototype)
    expect(classes.filter((other) => other.isInstance(error))).toEqual(
      classes.filter((other) => other === type || type.prototype instanceof other),
    )
  },
)

function isErrorClass(value: unknown): value is typeof core.PalimpsestError {
  return typeof value === 'function' && 'isInstance' in value
}
