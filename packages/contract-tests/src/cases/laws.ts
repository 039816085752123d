import type { ContractCase } from '../contract-case.ts'
import { determinismLaw } from './laws/determinism.ts'
import { failureLaw } from './laws/failure.ts'
import { fixedPointLaw } from './laws/fixed-point.ts'
import { pastLaw } from './laws/past.ts'
import { lastUserLaw, sequenceLaw, systemPromptLaw } from './laws/projection.ts'
import { purityLaw } from './laws/purity.ts'
import { secretsLaw } from './laws/secrets.ts'
import { smallerLaw } from './laws/smaller.ts'
import { transcriptLaw } from './laws/transcript.ts'

/** The laws of `docs/design.md`, section 4, each on one telling example. */
export const lawCases: readonly ContractCase[] = [
  transcriptLaw,
  sequenceLaw,
  systemPromptLaw,
  lastUserLaw,
  smallerLaw,
  purityLaw,
  failureLaw,
  fixedPointLaw,
  secretsLaw,
  pastLaw,
  determinismLaw,
]
