import { isUnix } from '../helpers/modes.ts'
import { tryRules } from './rules.ts'
import { programSources } from './sources.ts'

tryRules(isUnix ? programSources : [])
