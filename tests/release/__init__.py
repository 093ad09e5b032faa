"""What a release of this project is made of: its archive built twice, the bill of materials, the licences."""
