import { isUnix } from '../helpers/modes.ts'
import { tryRules } from './rules.ts'
import { programSources } from './table.ts'

tryRules(isUnix ? programSources : [])
