import { parseOptions } from '@palimpsest/core/options'
import * as z from 'zod'
import { nameSchema, timeSchema } from '../store/event-schema.ts'

const takeSchema = z.object({ holder: nameSchema, at: timeSchema, until: timeSchema })

/** Who takes a job, and for how long. */
export type JobTaking = z.output<typeof takeSchema>

/** @throws InvalidOptionError */
export function checkTake(input: JobTaking): JobTaking {
  return parseOptions(takeSchema, input, '')
}
