# SPDX-License-Identifier: Apache-2.0
"""What the package says of what it cannot read: words.py PROFILE [COMMAND]

Prints the text of the error and of each warning, and fails if there is neither.
"""
import sys
import warnings

import ompprof

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    try:
        ompprof.read(sys.argv[1], command=sys.argv[2] if len(sys.argv) > 2 else None)
    except ompprof.Error as error:
        print(error)
        sys.exit()
for warning in said:
    print(warning.message)
sys.exit(not said)
