import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const sources = `syn config list prints each setting with its value and source. In a pipe the line is tab-separated:

  $ syn config set model syn:small:text
  syn: stored model syn:small:text in profile default in ~/.config/syn/config.json
  $ syn config list | grep -E "^(model|retries)"
  model	syn:small:text	profile default
  retries	3	default

The API key is never shown, nor a word of key-command that looks like a key.

The environment variables of settings are SYN_BASE_URL, SYN_API_KEY, SYN_MODEL, SYN_EMBED_MODEL, SYN_PROFILE, NO_COLOR and FORCE_COLOR. syn(1) describes them.`

const otherServices = `Model names start with hf:, or are aliases. For a compatible service with other names, the setting any-model lets any name pass: in -m, /model and --body, and for the settings model and embed-model. It is off by default, and belongs to the profile:

  $ syn config set any-model true
  syn: stored any-model true in profile default in ~/.config/syn/config.json
  $ syn config set model gpt-4o
  syn: stored model gpt-4o in profile default in ~/.config/syn/config.json`

const file = `The config file is JSON: an object profiles that holds one object of settings for each profile, and the name of the default profile as profile. Only its owner can read it. If other users can read or change it, a run that reads the key from it says so, with the command that stops it. syn config path prints its path.

syn config edit checks the edited file before it replaces the old one. An invalid version is saved next to it as config.json.rejected.`

const text: PageText = {
  statuses: { ...localStatuses, failed: 'Failure: syn config get found no value, or a file could not be written.' },
  sections: [section('SOURCES', sources), section('OTHER SERVICES', otherServices), section('CONFIG FILE', file)],
  seeAlso: ['syn-login'],
}

export default text
