import type { LabelledConversation } from './conversation.ts'
import { backend as devBackend } from './dev/backend.ts'
import { devices as devDevices } from './dev/devices.ts'
import { languages as devLanguages } from './dev/languages.ts'
import { library as devLibrary } from './dev/library.ts'
import { mobile as devMobile } from './dev/mobile.ts'
import { operations as devOperations } from './dev/operations.ts'
import { registers as devRegisters } from './dev/registers.ts'
import { science as devScience } from './dev/science.ts'
import { backend as heldOutBackend } from './held-out/backend.ts'
import { devices as heldOutDevices } from './held-out/devices.ts'
import { languages as heldOutLanguages } from './held-out/languages.ts'
import { library as heldOutLibrary } from './held-out/library.ts'
import { mobile as heldOutMobile } from './held-out/mobile.ts'
import { operations as heldOutOperations } from './held-out/operations.ts'
import { registers as heldOutRegisters } from './held-out/registers.ts'
import { science as heldOutScience } from './held-out/science.ts'
import { backend as secondBackend } from './second/backend.ts'
import { devices as secondDevices } from './second/devices.ts'
import { languages as secondLanguages } from './second/languages.ts'
import { library as secondLibrary } from './second/library.ts'
import { mobile as secondMobile } from './second/mobile.ts'
import { operations as secondOperations } from './second/operations.ts'
import { registers as secondRegisters } from './second/registers.ts'
import { science as secondScience } from './second/science.ts'

/** `dev` may be looked at while an extractor is written; `held-out` may not, so that its figures mean something. */
export type Part = 'dev' | 'held-out'

/**
 * The labelled conversations: both parts have the same kinds of them, in other words. `second` was held out first: once it had been
 * looked at, it became a part of `dev`, and another one was written.
 */
export const LABELLED_SET: Readonly<Record<Part, readonly LabelledConversation[]>> = {
  dev: [
    ...devBackend,
    ...devScience,
    ...devMobile,
    ...devOperations,
    ...devDevices,
    ...devLibrary,
    ...devLanguages,
    ...devRegisters,
    ...secondBackend,
    ...secondScience,
    ...secondMobile,
    ...secondOperations,
    ...secondDevices,
    ...secondLibrary,
    ...secondLanguages,
    ...secondRegisters,
  ],
  'held-out': [
    ...heldOutBackend,
    ...heldOutScience,
    ...heldOutMobile,
    ...heldOutOperations,
    ...heldOutDevices,
    ...heldOutLibrary,
    ...heldOutLanguages,
    ...heldOutRegisters,
  ],
}
