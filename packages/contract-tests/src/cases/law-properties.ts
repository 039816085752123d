import type { ContractCase } from '../contract-case.ts'
import { determinismProperty } from './laws/determinism.ts'
import { failureProperty } from './laws/failure.ts'
import { fixedPointProperty } from './laws/fixed-point.ts'
import { interleavingProperty } from './laws/interleavings.ts'
import { pastProperty } from './laws/past.ts'
import { lastUserProperty, sequenceProperty, systemPromptProperty } from './laws/projection.ts'
import { purityProperty } from './laws/purity.ts'
import { secretsProperty } from './laws/secrets.ts'
import { pruningProperty, selectionProperty } from './laws/selection.ts'
import { sessionProperty } from './laws/session.ts'
import { smallerProperty } from './laws/smaller.ts'
import { transcriptProperty } from './laws/transcript.ts'

/** The laws again, on generated conversations and on sessions of any course. */
export const lawProperties: readonly ContractCase[] = [
  transcriptProperty,
  sequenceProperty,
  systemPromptProperty,
  lastUserProperty,
  smallerProperty,
  purityProperty,
  failureProperty,
  fixedPointProperty,
  secretsProperty,
  pastProperty,
  determinismProperty,
  sessionProperty,
  interleavingProperty,
  selectionProperty,
  pruningProperty,
]
