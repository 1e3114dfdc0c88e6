/** The script for PowerShell: the tables as data, and one block that reads them. */

import {
  type ArgumentRule,
  type CommandLine,
  decisiveFlags,
  type Flag,
  markOf,
  type Offer,
  type CommandNode,
  type Subcommand,
} from './command-line.ts'

export function powershellScript({ nodes, everywhere }: CommandLine): string {
  return `${head}
Register-ArgumentCompleter -Native -CommandName syn -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $everywhere = ${array(everywhere.map(flagEntry), 4)}
    $places = ${array(nodes.map(nodeEntry), 4)}
    $decisive = ${list(decisiveFlags)}
${engine}}
`
}

const head = `# Completes command lines of syn in PowerShell. Made by: syn completion powershell
# What was typed is compared and handed on as it stands; no part of it is ever expanded or run.
`

const engine = `
    $place = $places[0]
    $flag = $null
    $isFlagOpen = $false
    $position = 0
    $before = ''
    $isEnded = $false
    $asked = @()

    function Find-Flag([string] $name) {
        @($place.Flags) + $everywhere | Where-Object { $_.Names -ccontains $name } | Select-Object -First 1
    }
    function Test-Value($row) {
        $null -ne $row -and $row.ContainsKey('Offers')
    }
    function Get-Plain([string] $word) {
        $word -replace '["'']', ''
    }

    # The words before the one to complete; their source text, which nothing here evaluates.
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { Get-Plain $_.Extent.Text })
    foreach ($word in $words) {
        if ($isFlagOpen) {
            $isFlagOpen = $false
            if ($decisive -ccontains $flag) { $asked += "$flag=$word" }
        } elseif ($isEnded) {
            continue
        } elseif ($word -ceq '--') {
            $isEnded = $true
        } elseif ($word -cmatch '^--[^=]+=') {
            if ($decisive -ccontains $word.Split('=')[0]) { $asked += $word }
        } elseif ($word.StartsWith('--')) {
            $flag = $word
            $isFlagOpen = Test-Value (Find-Flag $word)
            if (-not $isFlagOpen -and $decisive -ccontains $word) { $asked += $word }
        } elseif ($word -cmatch '^-.') {
            # One-letter flags in one word: the first with a value takes the rest of it, or else the next word.
            for ($index = 1; $index -lt $word.Length; $index++) {
                $flag = '-' + $word[$index]
                if (Test-Value (Find-Flag $flag)) {
                    $isFlagOpen = $index -eq $word.Length - 1
                    break
                }
            }
        } else {
            $path = "$($place.Path) $word".Trim()
            $next = @($places | Where-Object { $_.Path -ceq $path })
            if ($position -eq 0 -and $next.Count -eq 1) {
                $place = $next[0]
            } else {
                $before = $word
                $position++
            }
        }
    }

    function New-Result([string] $text, [string] $shown, [string] $type, [string] $help) {
        [System.Management.Automation.CompletionResult]::new($text, $shown, $type, $help)
    }
    # Paths as PowerShell completes them: quoted where they have to be.
    function Get-Path([string] $start) {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($start)
    }
    function Get-Offer($offers, [string] $value, [string] $lead) {
        foreach ($offer in $offers) {
            $names = @($offer)
            if ($offer -ceq '<path>') {
                Get-Path $value | ForEach-Object { New-Result ($lead + $_.CompletionText) $_.ListItemText ProviderItem $_.ToolTip }
                continue
            }
            if ($offer -ceq '<@path>') {
                if ($value.StartsWith('@')) {
                    Get-Path $value.Substring(1) | ForEach-Object {
                        $quoted = "'@" + ($_.CompletionText -replace "^'|'$", '') + "'"
                        New-Result ($lead + $quoted) $_.ListItemText ProviderItem $_.ToolTip
                    }
                }
                continue
            }
            # Asks syn, which makes no request for it.
            if ($offer.StartsWith('<')) { $names = @(& syn completion $offer.Trim('<', '>') @asked 2> $null) }
            $names | Where-Object { $_.StartsWith($value, [System.StringComparison]::Ordinal) } |
                ForEach-Object { New-Result ($lead + $_) $_ ParameterValue $_ }
        }
    }

    $current = Get-Plain $wordToComplete
    if ($isFlagOpen) {
        Get-Offer (Find-Flag $flag).Offers $current ''
    } elseif ($isEnded) {
        Get-Offer '<path>' $current ''
    } elseif ($current -cmatch '^(--[^=]+=)') {
        $lead = $Matches[1]
        $row = Find-Flag $lead.TrimEnd('=')
        if (Test-Value $row) { Get-Offer $row.Offers $current.Substring($lead.Length) $lead }
    } elseif ($current.StartsWith('-')) {
        foreach ($row in @($place.Flags) + $everywhere) {
            $row.Names | Where-Object { $_.StartsWith($current, [System.StringComparison]::Ordinal) } |
                ForEach-Object { New-Result $_ $_ ParameterName $row.Help }
        }
    } else {
        if ($position -eq 0) {
            $place.Subcommands | Where-Object { $_.Name.StartsWith($current, [System.StringComparison]::Ordinal) } |
                ForEach-Object { New-Result $_.Name $_.Name ParameterValue $_.Help }
        }
        $place.Arguments | Where-Object {
            ($null -eq $_.Position -or $_.Position -eq $position) -and ($null -eq $_.Before -or $_.Before -ceq $before)
        } | ForEach-Object { Get-Offer $_.Offers $current '' }
    }
`

function nodeEntry({ path, subcommands, flags, arguments: rules }: CommandNode): string {
  const parts = [
    `Path = ${quote(path)}`,
    `Subcommands = ${array(subcommands.map(subcommandEntry), 12)}`,
    `Flags = ${array(flags.map(flagEntry), 12)}`,
    `Arguments = ${array(rules.map(argumentEntry), 12)}`,
  ]
  return `@{\n${parts.map((part) => `            ${part}`).join('\n')}\n        }`
}

function subcommandEntry({ name, summary }: Subcommand): string {
  return `@{ Name = ${quote(name)}; Help = ${quote(summary)} }`
}

function flagEntry({ names, help, offers }: Flag): string {
  const value = offers === undefined ? '' : `; Offers = ${offerList(offers)}`
  return `@{ Names = ${list(names)}; Help = ${quote(help)}${value} }`
}

function argumentEntry({ position, before, offers }: ArgumentRule): string {
  const [number, word] = [position ?? '$null', before === undefined ? '$null' : quote(before)]
  return `@{ Position = ${number}; Before = ${word}; Offers = ${offerList(offers)} }`
}

function offerList(offers: readonly Offer[]): string {
  return list(offers.map(markOf))
}

function list(words: readonly string[]): string {
  return `@(${words.map(quote).join(', ')})`
}

/** Entries on lines of their own, which need no commas. */
function array(entries: readonly string[], indent: number): string {
  const space = ' '.repeat(indent)
  return entries.length === 0 ? '@()' : `@(\n${entries.map((entry) => `${space}    ${entry}\n`).join('')}${space})`
}

/** PowerShell takes typographic quotation marks for its own. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
