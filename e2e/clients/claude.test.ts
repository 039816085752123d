import { claude } from './claude.ts'
import { describeClient } from './scenarios.ts'

describeClient(claude)
