import { answers } from './answers.ts'
import { cost } from './cost.ts'
import { grep } from './grep.ts'
import { hosts } from './hosts.ts'
import { recovered } from './recovered.ts'
import { redaction } from './redaction.ts'
import { speed } from './speed.ts'

export const MEASURES = { answers, cost, hosts, recovered, grep, redaction, speed }
