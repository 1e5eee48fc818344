# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Completion of ompprof's command lines in bash 4 or later. What verbs and options there are stands
# at the end, written when ompprof was built.
#
# The words before the cursor are gone through as ompprof reads them, up to where a command begins:
# its words are completed as they would be without ompprof.

# _ompprof_words LIST WORD: offers those of the words in LIST that begin with WORD.
_ompprof_words() {
	mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$1" -- "$2")
}

# _ompprof_list LIST WORD: offers to go on with a list with commas.
_ompprof_list() {
	local before=
	[[ $2 == *,* ]] && before=${2%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${2##*,}")
	compopt -o nospace
}

# _ompprof_command INDEX WORD: offers what fits the command that begins at word INDEX.
_ompprof_command() {
	if ((COMP_CWORD > $1)); then
		if declare -F _comp_command_offset >/dev/null; then
			_comp_command_offset "$1"
		elif declare -F _command_offset >/dev/null; then
			_command_offset "$1"
		else
			compopt -o default
		fi
		return
	fi
	((${#COMPREPLY[@]} == 0)) || return
	# Names of files are readline's to complete: it knows how to quote them.
	compopt -o default
	if [[ $2 && $2 != */* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$2" | sort -u)
	fi
}

# _ompprof_offer KIND WORDS INDEX WORD: offers all that an argument can be.
_ompprof_offer() {
	case $1 in *w*) _ompprof_words "$2" "$4" ;; esac
	case $1 in *l*) _ompprof_list "$2" "$4" ;; esac
	case $1 in *v*) _ompprof_words "$_ompprof_verbs" "$4" ;; esac
	case $1 in
	*c*) _ompprof_command "$3" "$4" ;;
	*f*) compopt -o default ;;
	*d*) compopt -o dirnames ;;
	esac
}

# _ompprof_takes VERB WORD: whether the argument of the option that WORD ends with is the next word;
# sets kind and words if it is.
_ompprof_takes() {
	local letters
	case $2 in
	--*)
		_ompprof_argument "$1" "$2"
		[[ $kind ]]
		return
		;;
	esac
	for ((letters = 1; letters < ${#2}; letters++)); do
		_ompprof_argument "$1" "-${2:letters:1}"
		if [[ $kind ]]; then
			((letters == ${#2} - 1))
			return
		fi
	done
	return 1
}

_ompprof() {
	local current=$2 verb='' options='' kind='' words='' word i
	local is_argument='' is_operand=''
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $is_argument ]]; then
			# Bash makes a word of the = between an option and its argument.
			[[ $word == = ]] || is_argument=
		elif [[ $is_operand || $word != -?* ]]; then
			_ompprof_argument "$verb" ''
			if [[ -z $verb && -z $is_operand && " $_ompprof_verbs " == *" $word "* ]]; then
				verb=$word
			elif [[ $kind == *c* ]]; then
				_ompprof_command "$i" "$current"
				return
			fi
		elif [[ $word == -- ]]; then
			is_operand=yes
		elif _ompprof_takes "$verb" "$word"; then
			is_argument=yes
		fi
	done
	if [[ $is_argument ]]; then
		[[ $current == = ]] && current=
		_ompprof_offer "$kind" "$words" "$COMP_CWORD" "$current"
	elif [[ -z $is_operand && $current == -* ]]; then
		_ompprof_options "$verb"
		_ompprof_words "$options" "$current"
	else
		_ompprof_argument "$verb" ''
		# After -- stands no verb.
		[[ $is_operand && -z $verb ]] && kind=c
		_ompprof_offer "$kind" "$words" "$COMP_CWORD" "$current"
	fi
}

complete -F _ompprof ompprof
