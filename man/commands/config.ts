import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const sources = `syn config list prints each setting with its value in use and its source: a flag, the environment, the profile or the default. In a pipe the line is tab-separated:

  $ syn config set model syn:small:text
  syn: stored model syn:small:text in profile default in ~/.config/syn/config.json
  $ syn config list | grep -E "^(model|retries)"
  model	syn:small:text	profile default
  retries	3	default

With --json, value is null if nothing is set and the default is no value but a description.

The API key is never shown, nor a word of key-command that looks like a key.

syn(1) lists the environment variables of settings.`

const values = `Settings that are true or false also take yes, no, on and off. color takes auto, always or never; true and false mean always and never.`

const profiles = `syn config profiles prints the names of the profiles, and syn config get profile that of the one in use. With --profile NAME, list, get, set and unset are about that profile.

syn login creates a profile, syn logout --forget removes one, and syn config set profile NAME makes one the default.`

const otherServices = `Model names start with hf:, or are aliases. For a compatible service with other names, the setting any-model lets any name pass: in -m, /model and --body, and for the settings model and embed-model. It is off by default, and belongs to the profile:

  $ syn config set any-model true
  syn: stored any-model true in profile default in ~/.config/syn/config.json
  $ syn config set model gpt-4o
  syn: stored model gpt-4o in profile default in ~/.config/syn/config.json`

const readers = `A reader prints the text of the files with an extension. It holds for all profiles:

  $ syn config set readers.pdf 'pdftotext -layout {} -'
  syn: stored readers.pdf pdftotext -layout {} - in ~/.config/syn/config.json

{} becomes the path. Quotes keep blanks; no shell reads the command. It gets the variables of tools, 60 seconds and 16 MiB. If it fails, the last line of its error is shown.`

const notifications = `An answer, or a question about a tool, that comes after more than 10 seconds while the terminal of the chat is not in front shows a notification: "syn: answer ready", "syn: answer failed" or "syn: approval needed", never words of the model. The setting notify says how:

auto, the default, uses OSC 9 in iTerm2, OSC 777 in foot, Ghostty, kitty and WezTerm, and the bell elsewhere. With bell it always rings; off turns notifications off.

Any other value is a command, which a shell runs without a terminal. It reads the text from stdin:

  $ syn config set notify 'notify-send "$(cat)"'
  syn: stored notify notify-send "$(cat)" in profile default in ~/.config/syn/config.json

A terminal that does not report its focus gets none of these from the chat; tmux reports it after set -g focus-events on.

One-shot syn chat, messages and complete, and syn batch, which says "syn: batch ended", notify after more than 10 seconds too, with bell or a command only: nothing tells whether their terminal is in front. The bell needs stdin and stdout on a terminal; the command does not.`

const file = `The config file is JSON: an object profiles that holds one object of settings for each profile, the name of the default profile as profile, and readers. Only its owner can read it. If other users can read it, a run that reads the key from it says so, with the command that stops it. syn config path prints its path.

syn refuses the file, with exit status 2, if another user than root can change it or put another one in its place: it could run commands as you, or send the key elsewhere. The folders that it is in and symbolic links on the way count too; a folder with the sticky bit, such as /tmp, and a group with the ID of the owner are safe. On Windows nothing is checked.`

const text: PageText = {
  statuses: { ...localStatuses, failed: 'Failure: syn config get found no value, or a file could not be written.' },
  sections: [
    section('SOURCES', sources),
    section('VALUES', values),
    section('PROFILES', profiles),
    section('OTHER SERVICES', otherServices),
    section('READERS', readers),
    section('NOTIFICATIONS', notifications),
    section('CONFIG FILE', file),
  ],
  seeAlso: ['syn-login', 'syn-logout'],
}

export default text
